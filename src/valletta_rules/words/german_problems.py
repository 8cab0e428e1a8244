"""Problems in German: of positions, views and outcomes, of card sets, and of documents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from valletta_rules.audit.codes import Impossible
from valletta_rules.card_sets.codes import Misprint
from valletta_rules.codec.text import Misfit

_WHOLE: Final = "muss eine ganze Zahl von {least} bis {most} sein, nicht {found}"
_UNLIKE: Final = "{found} passt hier nicht (verlangt: {wanted})"
_AT_THIS_POINT: Final = "{found} kann an dieser Stelle niemand besitzen"

IMPOSSIBLE: Final[Mapping[str, str]] = {
    Impossible.PLAYER_COUNT: "Valletta ist für 2, 3 oder 4 Spieler, nicht für {players}",
    Impossible.SITE_COUNT: "bei {players} Spielern sind es {most} Bauplätze, nicht {found}",
    Impossible.NO_SUCH_SEAT: "einen Platz {seat} gibt es nicht",
    Impossible.NO_SUCH_SPACE: "ein Feld {space} hat die Straße nicht",
    Impossible.NO_SUCH_SITE: "einer dieser Bauplätze fehlt in der Auslage",
    Impossible.NO_SUCH_BUILDING: "ein Gebäude {building} hat der Kartensatz nicht",
    Impossible.VARIANT: "diese Variante ist für 2 Spieler, nicht für {players}",
    Impossible.PLAYED_TOO_MANY: "in einem Zug werden {most} Karten ausgespielt, nicht {found}",
    Impossible.TOO_MANY_ALIKE: "{building} liegt {found}-mal da, im Kartensatz {most}-mal",
    Impossible.COLOUR_QUOTA: "es liegen {found} Gebäude ({colour}) da, nicht {most}",
    Impossible.SITES_EMPTY: "{sites} Bauplätze sind leer",
    Impossible.GOODS_NEGATIVE: "weniger als nichts besitzt niemand, und dies ist {found}",
    Impossible.BARRELS_LEFT: "von {most} Fässern können nicht {found} übrig sein",
    Impossible.BARRELS_REVEALED: "Valette ist an {reached} Fässern vorbei, und {revealed} sind weg",
    Impossible.NO_BARREL_HERE: "auf Feld {space} liegt kein Fass, zu dem Valette ziehen könnte",
    Impossible.TOO_MANY_HOUSES: "ein Spieler hat {most} Häuser, nicht {found}",
    Impossible.SITE_SHARED: "auf Bauplatz {site} steht auch ein Haus von Platz {owner}",
    Impossible.NOT_BUILT: "auf Bauplatz {site} hat der Spieler kein Haus",
    Impossible.SCORE: "nichts hier kann {found} Punkte gebracht haben",
    Impossible.SCORE_NEGATIVE: "weniger als null Punkte gibt es nicht, und dies ist {found}",
    Impossible.HAND_TOO_LARGE: "eine Hand hat höchstens {most} Karten, nicht {found}",
    Impossible.OPENING_HAND: "diese Hand kann an dieser Stelle nicht {found} Karten haben",
    Impossible.HAND_SIZE: "diese Hand kann an dieser Stelle nicht {found} Karten haben",
    Impossible.NOT_SHOWN: "{character} ist bekanntlich auf der Hand und fehlt dort",
    Impossible.CARDS_LOST: "von der Karte {character} gibt es {found} statt {right}",
    Impossible.TRADES: "es wurde {found}-mal entlassen oder eingestellt, erlaubt war es {most}-mal",
    Impossible.ONE_VALETTE: "jeder Spieler hat stets einen Valette, nicht {found}",
    Impossible.WRONG_STEP: "{step} kann hier nicht zu tun sein",
    Impossible.STEP_MISSING: "hier fehlt etwas, das zu tun ist",
    Impossible.IN_VAIN: "{prompt} fragt nach etwas, das hier nicht geht",
    Impossible.MOVED: "noch hat sich niemand bewegt, und dies ist {found}",
    Impossible.TOO_EARLY: "noch gab es keinen Zug, der dazu führen konnte",
    Impossible.TOO_LATE: "das Spiel ist zu Ende, und keine Karte kann übrig sein",
    Impossible.STARTING_GOODS: _AT_THIS_POINT,
    Impossible.DRAFTED: _AT_THIS_POINT,
    Impossible.DRAFT_LEFT: "vom Satz muss {left} übrig sein",
    Impossible.NOT_DISCARDED: "an dieser Stelle sind die ausgespielten Karten schon abgelegt",
    Impossible.TRIGGERED: "hiermit hätte die Endphase beginnen müssen",
    Impossible.NOT_TRIGGERED: "keine Bedingung der Endphase ist erfüllt, und dies ist: {phase}",
    Impossible.HAND_SEEN: "ein Spieler sieht seine eigene Hand und keine andere",
    Impossible.HIDDEN_CARDS: "Karten der Hand sind nicht darunter",
    Impossible.HAND_COUNTED: "diese Hand kann nicht {found} Karten haben",
    Impossible.LEGAL_ACTIONS: "das sind nicht die Züge, die der Betrachter machen darf",
    Impossible.SCORE_ORDER: "muss {seat} sein, denn es ist dessen Zeile",
    Impossible.WINNERS: "bei dieser Wertung gewinnen nach {clause} andere",
    Impossible.DECIDED_BY: "bei dieser Wertung entscheidet {clause}",
}
"""What is impossible about a position, a view or an outcome."""

MISPRINTS: Final[Mapping[str, str]] = {
    Misprint.NAME: "muss eine Zeile von 1 bis 80 druckbaren Zeichen sein",
    Misprint.DESIGN: "muss {right} sein, nicht {found}: Entwürfe eines Buchstabens zählen ab 1",
    Misprint.LETTER: "muss ein Großbuchstabe von A bis Z sein, nicht {found}",
    Misprint.COPIES: _WHOLE,
    Misprint.POINTS: _WHOLE,
    Misprint.COST: _WHOLE,
    Misprint.TOO_DEAR: "ein Gebäude kostet höchstens {most} Güter, nicht {found}",
    Misprint.LETTER_OF_ANOTHER: "dieser Buchstabe gehört zu {character} ({building})",
    Misprint.OTHER_LETTER: "diese Person hat in {building} einen anderen Buchstaben",
    Misprint.STARTING_CARD: "{character} ist eine Startkarte und gehört zu keinem Gebäude",
    Misprint.NO_BUILDING: "kein Gebäude bringt {characters}",
    Misprint.BUILDINGS: "das Spiel hat {right} Gebäudekarten, hier sind es {found}",
    Misprint.COLOUR: "{players} Spieler brauchen {least} Karten ({colour}), es gibt {found}",
    Misprint.YELLOW_COPIES: "eine gelbe Person gibt es höchstens zweimal, nicht {found}-mal",
    Misprint.YELLOW_TWICE: "manche gelbe Personen gibt es zweimal, aber nicht alle",
    Misprint.REPEATED: "zeigt dasselbe wie {building}; einmal genügt, mit mehr Karten",
    Misprint.BARREL: _WHOLE,
    Misprint.BARRELS: "das Spiel hat {right} Fässer, hier sind es {found}",
    Misprint.NO_GOLD: "enthält kein Gold, das doch in allen Kosten vorkommen soll",
    Misprint.NO_ICON: "kein Gebäude hat als Symbol {goods}",
    Misprint.BANKER: "ist nicht A, den Buchstaben, den der Bankier haben soll",
    Misprint.NO_BARREL: "kein Fass enthält {goods}",
    Misprint.UNREADABLE: "nicht lesbar: {reason}",
    Misprint.FILE_TOO_LARGE: "zu groß: höchstens {most} Bytes",
    Misprint.LONG_LINE: "zu lang: eine Zeile hat höchstens {most} Zeichen",
    Misprint.NO_TOML: "kein TOML: {reason}",
    Misprint.FORMAT: "dieses Programm liest Format {right}, nicht {found}",
    Misprint.MISSING: "fehlt; zu schreiben ist {wanted}",
    Misprint.NO_WORD: "muss ein Wort in Anführungszeichen sein, nicht {found}",
    Misprint.NO_NUMBER: _WHOLE,
    Misprint.NO_TABLE: "muss eine Tabelle wie {example} sein, nicht {found}",
    Misprint.NO_TABLES: "müssen Tabellen sein, jede mit der Überschrift [[building]]",
    Misprint.MISSPELT: "{found} gibt es hier nicht; gemeint ist wohl {meant}",
    Misprint.NOT_AMONG: "{found} gibt es hier nicht, nur {known}",
    Misprint.UNKNOWN: "{found} gibt es hier nicht",
    Misprint.UNFIT: "passt nicht: {reason}",
    Misprint.UNFILLED: "noch auszufüllen: {listed}",
}
"""What is wrong with a card set."""

MISFITS: Final[Mapping[str, str]] = {
    Misfit.NO_TEXT: "ein Dokument ist ein Text, nicht {found}",
    Misfit.TOO_LONG: "ein Dokument hat höchstens {most} Zeichen, nicht {found}",
    Misfit.TOO_DEEP: "ein Dokument ist höchstens {most} Ebenen tief",
    Misfit.NO_JSON: "das ist kein JSON (Zeile {line}, Spalte {column}): {reason}",
    Misfit.NO_VERSION: '"valletta_rules" muss die Version des Formats sein, {found}',
    Misfit.OTHER_VERSION: "dies ist Version {found} des Formats, lesbar ist {right}",
    Misfit.WRONG_TYPE: _UNLIKE,
    Misfit.OUT_OF_RANGE: _UNLIKE,
    Misfit.WRONG_FORM: _UNLIKE,
    Misfit.UNKNOWN_WORD: _UNLIKE,
    Misfit.TOO_LARGE: "eine Zahl im Dokument ist höchstens {most}, nicht {found}",
    Misfit.TOO_MANY_CARDS: "höchstens {most} Karten liegen zusammen, nicht {found}",
    Misfit.HALF_A_CHARACTER: "dieser Text enthält ein halbes Zeichen",
    Misfit.KEY_MISSING: '"{key}" fehlt',
    Misfit.KEY_UNKNOWN: "diesen Schlüssel gibt es hier nicht; erlaubt sind: {allowed}",
    Misfit.KEY_REPEATED: "dieser Schlüssel steht zweimal da",
    Misfit.UNKNOWN_FACT: "diese Tatsachen lassen sich nicht schreiben: {found}",
    Misfit.UNKNOWN_CARDS: "unbekannte Karten: {reason}",
    Misfit.NOT_ASCENDING: "gehört hinter den Eintrag davor",
    Misfit.NOT_MADE: "so nicht möglich: {reason}",
}
"""What is wrong with a document."""

TEMPLATES: Final[Mapping[str, str]] = MappingProxyType({**IMPOSSIBLE, **MISPRINTS, **MISFITS})
"""What is said of each kind of problem, with the names of its facts in braces."""
