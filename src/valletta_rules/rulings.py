"""Rule sets: the answers to the questions on which the rulebooks disagree or are silent.

An edition is a `RuleSet`. The rules of the game depend on these answers, never on the name of the
rule set.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any, Final

import attrs
from attrs.validators import in_, instance_of

from valletta_rules.components import UNFIT_NAME, Among, Colour, Value, constructor_call, is_name
from valletta_rules.components.names import abbreviated

APPRENTICE_COLOURS: Final = (Colour.RED, Colour.PURPLE)
"""The colours that the Apprentice's card can have, depending on the rule set."""

ApprenticeColour = Annotated[Colour, Among(APPRENTICE_COLOURS)]
"""The colour of the Apprentice: red or purple."""


class Effects(StrEnum):
    """The ruling *effects*: must the effect of a played card be carried out?"""

    __hash__ = str.__hash__

    COMPULSORY = "compulsory"
    """Effects must be carried out as far as possible, unless the card leaves a choice."""
    OPTIONAL = "optional"
    """Effects may be declined, except that Valette must advance."""


class Opening(StrEnum):
    """The ruling *opening*: how is the advantage of the first player balanced?"""

    DRAFT = "draft"
    """Each player takes one extra good. The last player in turn order chooses first."""
    DRAFT_AND_STAGGERED = "draft_and_staggered"
    """As in `DRAFT`. In addition, the first player plays only one card on the first turn, and the
    second player only two.
    """


class BarrelLayout(StrEnum):
    """The ruling *barrel-layout*: which spaces of the street have a barrel?"""

    EVERY_SPACE = "every_space"
    """All 25 spaces have a barrel."""
    BY_PLAYERS = "by_players"
    """With two players, odd spaces have a barrel; with three, spaces that are not divisible by
    three; with four, all spaces.
    """


def _check_name(rules: RuleSet, field: attrs.Attribute[Any], name: str) -> None:
    if not is_name(name):
        raise ValueError(f"a name {UNFIT_NAME}: {abbreviated(name)}")


@attrs.frozen(cache_hash=True)
class RuleSet(Value):
    """An edition of the rules, with or without the two variants.

    Start from a preset: `with_variants` switches variants on or off, and `with_answers` changes
    answers. The constructor accepts the answer to each question as a member of its
    enumeration, or as the value of the member. Raises `ValueError` for an answer that does not
    exist and for a name that is not one line of 1 to 80 printable characters. Raises `TypeError`
    for a name or a variant of a wrong type.
    """

    name: str = attrs.field(validator=[instance_of(str), _check_name])
    """The name of the rule set. The rules of the game do not depend on the name."""
    effects: Effects = attrs.field(default=Effects.COMPULSORY, converter=Effects)
    """The answer to the ruling *effects*: whether effects are compulsory."""
    opening: Opening = attrs.field(default=Opening.DRAFT, converter=Opening)
    """The answer to the ruling *opening*. The start-player variant overrides it."""
    barrel_layout: BarrelLayout = attrs.field(
        default=BarrelLayout.EVERY_SPACE, converter=BarrelLayout
    )
    """The answer to the ruling *barrel-layout*. The variant with fewer barrels overrides it."""
    apprentice_colour: ApprenticeColour = attrs.field(
        default=Colour.RED, converter=Colour, validator=in_(APPRENTICE_COLOURS)
    )
    """The answer to the ruling *apprentice-colour*: red or purple."""
    start_player_variant: bool = attrs.field(default=False, validator=instance_of(bool))
    """Whether the start-player variant is on. It replaces the draft: on the first turn, the first
    player plays only one card, and the second player only two.
    """
    fewer_barrels: bool = attrs.field(default=False, validator=instance_of(bool))
    """Whether the variant for two players is on: only the odd spaces of the street have a barrel,
    and Valette skips the other spaces.
    """

    def with_variants(
        self, *, start_player_variant: bool | None = None, fewer_barrels: bool | None = None
    ) -> RuleSet:
        """Return the rule set with variants switched on or off; `None` leaves a variant as is."""
        variants = {"start_player_variant": start_player_variant, "fewer_barrels": fewer_barrels}
        return attrs.evolve(self, **_given(variants))

    def with_answers(
        self,
        name: str,
        *,
        effects: Effects | str | None = None,
        opening: Opening | str | None = None,
        barrel_layout: BarrelLayout | str | None = None,
        apprentice_colour: Colour | str | None = None,
    ) -> RuleSet:
        """Return a rule set with some answers replaced; `None` leaves an answer unchanged.

        `name` is the name of the new rule set, which is no longer a standard edition. Raises
        `ValueError` and `TypeError` as the constructor does.
        """
        answers = {
            "effects": effects,
            "opening": opening,
            "barrel_layout": barrel_layout,
            "apprentice_colour": apprentice_colour,
        }
        return attrs.evolve(self, name=name, **_given(answers))

    @property
    def has_draft(self) -> bool:
        """Whether each player chooses an extra good before the first turn.

        Rules: SET-22, SET-26
        """
        return not self.start_player_variant

    @property
    def has_staggered_start(self) -> bool:
        """Whether the first player plays only one card on the first turn, and the second only two.

        Rules: SET-27, SET-28
        """
        return self.start_player_variant or self.opening is Opening.DRAFT_AND_STAGGERED

    @property
    def effects_are_optional(self) -> bool:
        """Whether a player may play a card and decline its effect.

        Rules: TRN-7, TRN-8
        """
        return self.effects is Effects.OPTIONAL

    def __repr__(self) -> str:
        """Return Python code for the rule set: a preset with variants, or a constructor call."""
        edition = edition_of(self)
        if edition is None:
            return constructor_call(self)
        on = ", ".join(f"{VARIANTS[name]}=True" for name in variants_of(self))
        constant = edition.upper().replace("-", "_")
        return f"{constant}.with_variants({on})" if on else constant

    def __str__(self) -> str:
        """Return the name of the rule set and its variants."""
        on = {
            "start-player variant": self.start_player_variant,
            "fewer barrels": self.fewer_barrels,
        }
        variants = ", ".join(variant for variant, is_on in on.items() if is_on)
        return f"{self.name} ({variants})" if variants else self.name


def _given(answers: Mapping[str, object]) -> dict[str, Any]:
    return {field: answer for field, answer in answers.items() if answer is not None}


HANS_IM_GLUECK: Final = RuleSet("Hans im Glück")
"""The German edition of 2017, which is the default. It is also the edition that is played online.
"""

Z_MAN: Final = RuleSet("Z-Man", effects=Effects.OPTIONAL)
"""The English edition of 2017: no effect is compulsory, except that Valette must advance."""

REFERENCE_MANUAL: Final = RuleSet(
    "Reference manual",
    opening=Opening.DRAFT_AND_STAGGERED,
    barrel_layout=BarrelLayout.BY_PLAYERS,
)
"""The rules of a manual of unknown origin. They differ from both editions in the opening and in the
layout of the barrels.
"""

EDITIONS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {
        "hans-im-glueck": HANS_IM_GLUECK,
        "z-man": Z_MAN,
        "reference-manual": REFERENCE_MANUAL,
    }
)
"""The editions, keyed by the names that commands and documents use."""

VARIANTS: Final[Mapping[str, str]] = MappingProxyType(
    {"start-player": "start_player_variant", "fewer-barrels": "fewer_barrels"}
)
"""The fields of `RuleSet` for the variants, keyed by the names that commands and documents use."""


def edition_of(rules: RuleSet) -> str | None:
    """Return the name of a rule set's edition, ignoring variants.

    Returns `None` if the rule set without its variants is not one of `EDITIONS`.
    """
    plain = rules.with_variants(start_player_variant=False, fewer_barrels=False)
    return next((name for name, edition in EDITIONS.items() if edition == plain), None)


def variants_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the names of the variants that are switched on in a rule set."""
    return tuple(name for name, field in VARIANTS.items() if getattr(rules, field))
