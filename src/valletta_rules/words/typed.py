"""The parser of typed moves, which consist of words in any supported language.

``play the Maid``, ``Magd``, ``ich möchte die Magd ausspielen`` and ``maid`` are the same move.  A
text that describes a legal action, in any language, is parsed as that action.  Any other text is
translated to notation (`valletta_rules.text.notation`) with the vocabulary of a language.  If a
text has several meanings, legal actions are preferred.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from typing import Final

import attrs

from valletta_rules.actions import Action, Decline, Dismiss, Hire, Pay, PlayCard
from valletta_rules.agenda import PlayerPrompt, PlayPrompt, Prompt, SitePrompt
from valletta_rules.components import CHARACTERS, GOODS, Character, need
from valletta_rules.engine import check, legal_actions
from valletta_rules.errors import Code, IllegalActionError, NotAskedError, Violation
from valletta_rules.state import GameState, has_another_form, need_position
from valletta_rules.text import notation
from valletta_rules.text.misspelling import Misspelling
from valletta_rules.text.values import UnfitError, nearest
from valletta_rules.views.view import PlayerView, some_position
from valletta_rules.words.language import Asking, Language
from valletta_rules.words.languages import LANGUAGES

_OTHERWISE: Final = (Code.SITE_NOT_OWN, Code.ALREADY_BUILT)
"""Codes for an illegal upgrade of a site where building may be legal, and for the reverse."""


LIKENESS: Final = 0.8
"""The minimum similarity (0 to 1) between a misspelt word and a suggestion.

This value permits one wrong letter in a word of five letters, and none in a word of four.  An
anagram of a word is suggested in any case.
"""


def parse_action(position: Asking, text: str, language: Language | None = None) -> Action:
    """Return the legal action that a text means at the current prompt.

    `position` is a position, or the view of the player who must answer.  `text` is in notation,
    which is the same in all languages, or in words of `language`, by default of any of `LANGUAGES`.

    A text returned by `Language.describe_action` for a legal action is parsed as that action.  A
    part of it that names the good, such as ``4 wood``, is sufficient if the part has no other
    meaning at the prompt.  Articles, endings and the verb can be omitted, and names can be
    shortened to a prefix.  The code or the character of a building can replace the number of its
    site.  Case is ignored.  Legal actions are preferred: ``b`` plays the Builder if no other card
    in the hand begins with *b*.  A negated text such as ``don't build 7`` is not a move, and
    ``build nothing`` declines.  A text with a question mark is not a move.  If a character can be
    dismissed or hired, its name alone is ambiguous, even if only one action is legal.  ``nothing``
    pays no goods; ``no`` is not a payment.

    Raises `NotAMoveError` for a text that is not a move of this game, `AmbiguousMoveError` for a
    text with several meanings (legal actions, if it has any), and `IllegalActionError`, with the
    violation, for a move that the rules forbid.  Raises `NotAskedError` for the view of a seat that
    need not answer, and `TypeError` for arguments of wrong types.  If `position` is a position, the
    text is parsed for the seat that must answer.  The caller must ensure that the text was typed by
    this player, because the result can reveal the hand.
    """
    given: object = position
    if isinstance(position, PlayerView):
        if position.prompt is not None and not position.is_asked:
            raise NotAskedError(position.seat, position.prompt.seat)
        position = some_position(position)
    elif not has_another_form(given):
        need_position(given)
    need(text, str, "text")
    if language is not None:
        need(language, Language, "a language")
    languages = LANGUAGES.values() if language is None else (language,)
    if "?" in text:
        raise _not_read(position, text, UnfitError.of(Misspelling.QUESTION))
    if (described := _described(position, text, languages)) is not None:
        return described
    meant, flaw = _meant(position, text, languages)
    if not (isinstance(position.prompt, PlayPrompt) or _names(text)):
        meant = tuple(each for each in meant if not isinstance(each, PlayCard))
    violations = {action: check(position, action) for action in meant}
    legal = tuple(action for action in meant if violations[action] is None)
    refused = {action: violation for action, violation in violations.items() if violation}
    if not legal and all(violation.code is Code.WRONG_KIND for violation in refused.values()):
        legal = _offered(position, text, languages)
    if not (legal or meant):
        raise _not_read(position, text, attrs.evolve(flaw, suggestion=_near(text)))
    either = _either(meant, legal)
    if len(legal) == 1 and not either:
        return legal[0]
    if legal:
        raise notation.AmbiguousMoveError(text, either or legal)
    near = _nearest(refused)
    if len(near) > 1:
        raise notation.AmbiguousMoveError(text, tuple(near))
    raise IllegalActionError(near.popitem()[1])


def _not_read(position: GameState, text: str, flaw: UnfitError) -> notation.NotAMoveError:
    """Return the error for a text that is not a move; `flaw` is the cause of the error."""
    prompt = None if position.prompt is None else type(position.prompt).__name__
    error = notation.NotAMoveError(text, str(flaw), prompt)
    error.__cause__ = flaw
    return error


def _described(position: GameState, text: str, languages: Iterable[Language]) -> Action | None:
    """Return the legal action that a text describes in one of the languages, or `None`.

    The part of a description after a comma, a colon or a bracket can be omitted if the remaining
    part describes only one action.
    """
    typed = _sentence(text)
    if " " not in typed or len(text) > notation.TEXT_LIMIT:  # not a sentence: one word, or too long
        return None
    amounts = sorted(re.findall("[1-9][0-9]*", typed))
    actions = legal_actions(position)
    if len(actions) > 1:  # do not describe thousands of payments, only those of these amounts
        actions = tuple(
            each
            for each in actions
            if not isinstance(each, Pay) or amounts == sorted(str(n) for n in each.goods if n)
        )
    beginning = re.compile(rf"{re.escape(typed)}(\Z|[,:]| \()")
    for language in languages:
        full = {each: _sentence(language.describe_action(position, each)) for each in actions}
        options = [each for each in actions if beginning.match(full[each])]
        if matches := [each for each in options if full[each] == typed] or options * (
            len(options) == 1
        ):
            return matches[0]
    return None


def _offered(position: GameState, text: str, languages: Iterable[Language]) -> tuple[Action, ...]:
    """Return the legal actions that concern a good and match a text.

    The text must name the good.  All its words, except verbs and fillers, must occur in the
    description of the action in the same order.
    """
    matches = dict[Action, None]()
    for language, action in product(languages, legal_actions(position)):
        if (good := getattr(action, "good", None)) is None:
            continue
        verbs, words = _parts(text, language)
        could = {verb for each in verbs for verb in each}
        if "decline" in could or (could and notation.format_action(action).split()[0] not in could):
            continue
        _, full = _parts(language.describe_action(position, action), language)
        typed_words, action_words = (
            [_good(word, language) for word in each] for each in (words, full)
        )
        rest = iter(action_words)
        if good in typed_words and all(word in rest for word in typed_words):
            matches[action] = None
    return tuple(matches)


def _either(meant: Iterable[Action], legal: Iterable[Action]) -> tuple[Action, ...]:
    """Return the dismissals and hirings that a text can mean, or `()` if it cannot mean both.

    Characters that can neither be dismissed nor hired legally are omitted.
    """
    exchanges = [each for each in meant if isinstance(each, Dismiss | Hire)]
    if len({type(each) for each in exchanges}) < 2:
        return ()
    named = {each.character for each in exchanges if each in legal}
    return tuple(each for each in exchanges if each.character in named)


def _sentence(text: str) -> str:
    """Return a text in lower case, without a final full stop and without repeated spaces."""
    return " ".join(text.casefold().split()).removesuffix(".")


def _nearest(refused: dict[Action, Violation]) -> dict[Action, Violation]:
    """Return the meanings of a text that are closest to a legal action, with their violations.

    Only actions of a type that the prompt accepts are returned.  Between building and upgrading,
    the owner of the site decides.  If no action has an accepted type, the first one is returned.
    """
    answers = [each for each in refused if refused[each].code is not Code.WRONG_KIND]
    fitting = [each for each in answers if refused[each].code not in _OTHERWISE]
    return {each: refused[each] for each in fitting or answers or [*refused][:1]}


def _meant(
    position: GameState, text: str, languages: Iterable[Language]
) -> tuple[tuple[Action, ...], UnfitError]:
    """Return the meanings of a text, legal or illegal, and the error to report if it has none."""
    meant, flaw = dict[Action, None](), UnfitError.of(Misspelling.NO_VERB)
    if len(text) > notation.TEXT_LIMIT:
        languages = ()
    written = (_written(position, text, each) for each in languages)
    for reading, has_verb in chain([(text, True)], *written):
        try:
            meant |= dict.fromkeys(notation.readings(position, reading))
        except notation.NotAMoveError as error:
            cause = error.__cause__
            if has_verb and isinstance(cause, UnfitError):
                flaw = cause
    return tuple(meant), flaw


def _written(position: GameState, text: str, language: Language) -> Iterator[tuple[str, bool]]:
    """Yield the notation of each move that a text can mean.

    The second item of each pair is whether the text has a verb.
    """
    known, prompt = language.vocabulary, position.prompt
    normalized = " ".join(_words(text.partition("(")[0]))
    in_vain = next((each for each in known.in_vain if normalized.endswith(f" {each}")), "")
    normalized = normalized.removesuffix(in_vain)
    verbs, words = _parts(normalized, language)
    if isinstance(prompt, SitePrompt) and _are_of_one_site(position, words, language):
        words = words[-1:]
    first, could = [each[0] for each in verbs], [verb for each in verbs for verb in each]
    expected = _verbs(prompt)
    chosen = [verb for verb in first if verb in expected]
    chosen = chosen or [verb for verb in could if verb in expected][:1] or first[:1] or expected
    if "decline" in could:  # a negated move means `decline`, and "no" is not an amount
        is_none = any(known.numbers.get(word) == "0" for word in normalized.split())
        chosen = ["pay 0"] if is_none and expected == ["pay"] and not words else ["decline"]
    is_code = isinstance(prompt, SitePrompt) and "".join(words).upper() in {
        building.code for building in position.display
    }
    for verb in chosen:
        for noun in islice(_nouns(words, language), 1 if is_code else None):
            written = f"{verb} {noun}{' in vain' if in_vain else ''}".strip()
            yield written, bool(could)


def _parts(text: str, language: Language) -> tuple[list[tuple[str, ...]], list[str]]:
    """Return the meanings of each verb in a text, and the other words without fillers."""
    known = language.vocabulary
    words = [word for word in _words(text) if word not in known.fillers]
    verbs = [known.verbs[word] for word in words if word in known.verbs]
    return verbs, [known.numbers.get(word, word) for word in words if word not in known.verbs]


def _are_of_one_site(position: GameState, words: list[str], language: Language) -> bool:
    """Return whether the words are the name of a building followed by the number of its site."""
    *names, number = words or [""]
    if not names or number not in map(str, range(len(position.display))):
        return False
    name, building = "".join(names), position.display[int(number)]
    return name.upper() == building.code or building.character in _called(name, language)


def _verbs(prompt: Prompt | None) -> list[str]:
    """Return the verbs of the notation that answer a player's prompt, except *decline*."""
    if not isinstance(prompt, PlayerPrompt):
        return []
    names = [answer.__name__ for answer in prompt.answers if answer is not Decline]
    return [re.split("(?<=[a-z])(?=[A-Z])", name)[0].lower() for name in names]


def _nouns(words: list[str], language: Language) -> Iterator[str]:
    """Yield the possible objects in the notation of a move: goods first, then characters."""
    yield " ".join(_good(word, language) for word in words)
    yield from (character.value for character in _called("".join(words), language))


def _good(word: str, language: Language) -> str:
    """Return the notation for the good that a word names, or the word if it names no good.

    The word may have an inflectional ending.
    """
    stems = {
        notation.folded(word.removesuffix(each)) for each in ("", *language.vocabulary.endings)
    }
    goods = (good for good in GOODS if notation.folded(language.good_names[good]) in stems)
    return next(goods, word)


def _called(text: str, language: Language) -> tuple[Character, ...]:
    """Return the characters that a name can mean.  The name may have an inflectional ending."""
    name = notation.folded(text)
    names = {
        notation.folded(language.short_names[character]): character for character in CHARACTERS
    }
    for ending in ("", *language.vocabulary.endings):
        if name and (called := name.removesuffix(ending)) and name.endswith(ending):
            if called in names:
                return (names[called],)
            completions = [
                character for each, character in names.items() if each.startswith(called)
            ]
            if characters := tuple(completions) or notation.characters_called(called):
                return characters
    return ()


def suggestion(text: str, language: Language) -> str | None:
    """Return the character, good or verb that is probably misspelt in a text, or `None`.

    The text can be in any language; the returned word is in `language`.
    """
    near = _near(text)
    return None if near is None else language.named(near)


def _near(text: str) -> str | None:
    """Return the notation for the word that is probably misspelt in a text, or `None`."""
    known = {
        notation.folded(word): meant
        for language in LANGUAGES.values()
        for word, meant in language.typed_words.items()
    }
    present = {known.get(notation.folded(word)) for word in _words(text[: notation.TEXT_LIMIT])}
    kinds = set(Character), set(known.values()) - {*Character, *GOODS}
    # A move has at most one character and one verb; if one is present, suggest no other one.
    enough = set[str]().union(*(kind for kind in kinds if kind & present))
    missing = [word for word, meant in known.items() if meant not in enough]
    named = _names(text[: notation.TEXT_LIMIT])
    words = [notation.folded(word) for word in named if not word.isdecimal()]
    misspelt = [word for word in words if word not in known]
    tried = [*misspelt, "".join(words)] if misspelt else []
    near = (
        next((each for each in missing if sorted(each) == sorted(word)), None)
        or nearest(word, missing, LIKENESS)
        for word in tried
        if len(word) > 2
    )
    return next((known[each] for each in near if each), None)


def _names(text: str) -> list[str]:
    """Return the words of a text that are neither verbs nor fillers in any language."""
    known = [each.vocabulary for each in LANGUAGES.values()]
    plain = {word for each in known for word in (*each.verbs, *each.fillers)}
    return [word for word in _words(text) if word not in plain]


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case; a word may contain an apostrophe."""
    return re.findall(
        r"[^\W_]+(?:'[^\W_]+)?", text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    )
