/**
 * What valletta-rules writes as JSON, version 2 of the format.
 *
 * Generated from the JSON Schema; do not edit.
 */

/** A value of the board game Valletta, as valletta-rules writes it. */
export type VallettaDocument = GameStateDocument | PlayerViewDocument | TransitionDocument | ActionDocument | EventDocument | PromptDocument | OutcomeDocument | ViolationDocument | RefusalDocument | NewsDocument | RuleSetDocument | CardSetDocument | RecordDocument | LogEntryDocument;

/** Any action. The union is complete: no other type is an action. */
export type Action = PlayerAction | ChanceAction;

/** A document that holds a value of the kind Action. */
export interface ActionDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Action";
  readonly value: Action;
}

/** A number of goods of a kind, or of points on the score track: 0 to 65,000. */
export type Amount = number;

/** A seat answered the prompt. */
export interface Answered {
  readonly type: "Answered";
  /** The revision after this entry. */
  readonly revision: Count;
  /** The seat that answered the prompt. */
  readonly seat: Seat;
  /** The action with which the seat answered. */
  readonly action: Action;
  /** The chance outcomes and forced answers before the next choice of a player. */
  readonly then: readonly Action[];
  /** The id that the client chose for the call, or None if it chose none. */
  readonly id: CallId | null;
}

/** The colour of the Apprentice: red or purple. */
export type ApprenticeColour = "red" | "purple";

/** You return four goods of one material for the Architect: which material? */
export interface ArchitectPrompt {
  readonly type: "ArchitectPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "YEL-2";
}

/** For which kind of icon does your Artisan take goods, one for each icon? */
export interface ArtisanPrompt {
  readonly type: "ArtisanPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "BLU-15";
}

/**
 * The ruling *barrel-layout*: which spaces of the street have a barrel?
 * every_space: All 25 spaces have a barrel.
 * by_players: With two players, odd spaces have a barrel; with three, spaces that are not divisible by three; with four, all spaces.
 */
export type BarrelLayout = "every_space" | "by_players";

/** A question to chance: which good is on the barrel that Valette has reached? */
export interface BarrelPrompt {
  readonly type: "BarrelPrompt";
  /** The seat that takes the good. */
  readonly player: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "VAL-4";
}

/** A barrel was turned over and left the game. */
export interface BarrelRevealed {
  readonly type: "BarrelRevealed";
  /** The good on the barrel. */
  readonly good: Good;
  /** Its clause of the rulebook. */
  readonly clause: "VAL-4";
}

/** A character that grants an extra good in two-player games: Monk, Innkeeper or Tax Collector. */
export type BonusCharacter = "monk" | "innkeeper" | "tax_collector";

/**
 * Which extra good do you take in a two-player game?
 * Raises ValueError for a character that grants no extra good.
 */
export interface BonusPrompt {
  readonly type: "BonusPrompt";
  /** The seat that may take the good. */
  readonly seat: Seat;
  /** The card that was played. */
  readonly character: BonusCharacter;
  /** Its clause of the rulebook. */
  readonly clause: ClauseId;
}

/** Choose a free site for a new building. */
export interface Build {
  readonly type: "Build";
  /** The number of the site, counted from 0. */
  readonly site: Site;
}

/**
 * A design of a building card, with its number of copies.
 * Cards with the same design are interchangeable. The upgraded side has twice as many icons and points as the front.
 */
export interface Building {
  /** A short name of the building, unique in its card set. */
  readonly code: BuildingCode;
  /** The character card that a player gets for constructing the building. */
  readonly character: Character;
  /** The printed cost of construction. */
  readonly cost: Goods;
  /** The kind of good shown by the icon in the lower left corner of the front. */
  readonly icon: Good;
  /** The points shown in the lower right corner of the front. */
  readonly points: Count;
  /** The number of cards of this design in the card set. */
  readonly copies: Positive;
}

/** The code of a building: A is the first design with the letter A, and A2 the second. */
export type BuildingCode = string;

/** A building was dealt to a site of the display. */
export interface BuildingDealt {
  readonly type: "BuildingDealt";
  /** The number of the site to which the building was dealt, counted from 0. */
  readonly site: Site;
  /** The building's code. */
  readonly building: BuildingCode;
  /** Its clause of the rulebook. */
  readonly clause: "SET-11";
}

/** A player built a house on a site and took the character card that lay there. */
export interface Built {
  readonly type: "Built";
  /** The seat that built the house. */
  readonly seat: Seat;
  /** The site built on. */
  readonly site: Site;
  /** The character card that the player took from the site into the hand. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "BLD-29";
}

/** The name and the fingerprint of a built-in card set. */
export type BuiltInCards = string;

/** An id that a client chooses for a call: 1 to 100 printable ASCII characters without spaces. */
export type CallId = string;

/**
 * A multiset of character cards: a hand, a draw pile, a discard pile or the supply.
 * CardBag() is empty; CardBag.of creates a bag of given cards. Each kind that occurs, with its count.
 */
export interface CardBag {
  readonly shopkeeper?: CardCount;
  readonly lumberjack?: CardCount;
  readonly stone_sculptor?: CardCount;
  readonly brick_worker?: CardCount;
  readonly maid?: CardCount;
  readonly builder?: CardCount;
  readonly apprentice?: CardCount;
  readonly valette?: CardCount;
  readonly banker?: CardCount;
  readonly woodworker?: CardCount;
  readonly carver?: CardCount;
  readonly mason?: CardCount;
  readonly monk?: CardCount;
  readonly bricklayer?: CardCount;
  readonly trader?: CardCount;
  readonly seamstress?: CardCount;
  readonly merchant?: CardCount;
  readonly artisan?: CardCount;
  readonly chamberlain?: CardCount;
  readonly stonemason?: CardCount;
  readonly innkeeper?: CardCount;
  readonly nun?: CardCount;
  readonly carpenter?: CardCount;
  readonly tax_collector?: CardCount;
  readonly architect?: CardCount;
  readonly grand_bailiff?: CardCount;
  readonly grand_master?: CardCount;
  readonly philip?: CardCount;
  readonly charles?: CardCount;
  readonly pius?: CardCount;
  readonly knight?: CardCount;
}

/** An Apprentice began to carry out the effect of another card. */
export interface CardCopied {
  readonly type: "CardCopied";
  /** The seat that played the Apprentice. */
  readonly seat: Seat;
  /** The card that is copied. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "RED-10";
}

/** A number of cards in a bag, of one kind or of all kinds. */
export type CardCount = number;

/** A player drew a card. Only that player may know which card. */
export interface CardDrawn {
  readonly type: "CardDrawn";
  /** The seat that drew the card. */
  readonly seat: Seat;
  /** The card that was drawn. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-17";
}

/** A player played a card. */
export interface CardPlayed {
  readonly type: "CardPlayed";
  /** The seat that played the card. */
  readonly seat: Seat;
  /** The card played. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-2";
}

/**
 * The values printed on the cards and tokens: 37 buildings and 25 barrels.
 * The starting characters are not included, because they are the same in every game.
 */
export interface CardSet {
  /** The name of the card set. */
  readonly name: string;
  /** The designs of the building cards in the order of their codes, without duplicates. */
  readonly buildings: readonly Building[];
  /** The number of barrel tokens of each good. */
  readonly barrels: Goods;
}

/** A document that holds a value of the kind CardSet. */
export interface CardSetDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "CardSet";
  readonly value: Cards;
}

/** A card set: by name if it comes with valletta-rules, or all its cards. */
export type Cards = BuiltInCards | CardSet;

/** Any action of chance. The union is complete: no other type is an action of chance. */
export type ChanceAction = DealBuilding | DrawCard | RevealBarrel;

/** Any prompt for chance. The union is complete: no other type is a prompt for chance. */
export type ChancePrompt = DealPrompt | DrawPrompt | BarrelPrompt;

/**
 * A kind of character card.
 * Cards of the same kind are interchangeable. Members are in the order of the rulebook. colour is the colour on the printed card. The rulebooks leave open which colour the Apprentice has, so this colour is also a field of RuleSet.
 */
export type Character = "shopkeeper" | "lumberjack" | "stone_sculptor" | "brick_worker" | "maid" | "builder" | "apprentice" | "valette" | "banker" | "woodworker" | "carver" | "mason" | "monk" | "bricklayer" | "trader" | "seamstress" | "merchant" | "artisan" | "chamberlain" | "stonemason" | "innkeeper" | "nun" | "carpenter" | "tax_collector" | "architect" | "grand_bailiff" | "grand_master" | "philip" | "charles" | "pius" | "knight";

/** The id of a clause of the rulebook, such as TRN-2. */
export type ClauseId = string;

/**
 * The stable codes of violations, which frontends can use as keys for translated messages.
 * game-over: The game is over: no action is possible.
 * wrong-kind: The action answers a different type of prompt.
 * card-not-in-hand: The card is not in the player's hand.
 * card-not-in-supply: The card is not in the character supply.
 * card-not-in-pile: The card cannot be drawn, because it is not in the draw pile.
 * effect-compulsory: The player may not decline the effect.
 * no-effect-to-decline: The player declined an effect that could do nothing, or that can be declined only at a later prompt.
 * site-taken: Another player's house is on the site.
 * site-not-own: Only the player's own buildings can be upgraded.
 * already-built: The player has already built on the site.
 * already-upgraded: The building has already been upgraded.
 * no-house-left: The player has built all eight houses.
 * not-affordable: The player's goods cannot pay the price, even if other goods replace the missing ones.
 * not-owned: The player does not have the goods.
 * payment-short: The payment is less than the price, even if other goods replace the missing ones.
 * payment-excessive: The payment is more than the price.
 * good-not-offered: The player may not choose this good at this prompt.
 * wrong-number-of-goods: The action takes the wrong number of goods.
 * building-not-available: No copy of this building card is left to deal.
 * no-such-barrel: No unrevealed barrel shows this good.
 */
export type Code = "game-over" | "wrong-kind" | "card-not-in-hand" | "card-not-in-supply" | "card-not-in-pile" | "effect-compulsory" | "no-effect-to-decline" | "site-taken" | "site-not-own" | "already-built" | "already-upgraded" | "no-house-left" | "not-affordable" | "not-owned" | "payment-short" | "payment-excessive" | "good-not-offered" | "wrong-number-of-goods" | "building-not-available" | "no-such-barrel";

/** A count: an integer of at least 0. */
export type Count = number;

/** Chance deals a building to the next site of the display. */
export interface DealBuilding {
  readonly type: "DealBuilding";
  /** The building's code. */
  readonly building: BuildingCode;
}

/** A question to chance: which building is dealt to the next site of the display? */
export interface DealPrompt {
  readonly type: "DealPrompt";
  /** Its clause of the rulebook. */
  readonly clause: "SET-9";
}

/** Decline what the prompt offers. */
export interface Decline {
  readonly type: "Decline";
}

/** Dismiss a character from the hand to the character supply. */
export interface Dismiss {
  readonly type: "Dismiss";
  /** The card dismissed. */
  readonly character: Character;
}

/** A player dismissed a character to the character supply. */
export interface Dismissed {
  readonly type: "Dismissed";
  /** The seat that dismissed the character. */
  readonly seat: Seat;
  /** The card dismissed. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "VAL-10";
}

/** Choose an extra good from the set that the players pass around before the first turn. */
export interface DraftGood {
  readonly type: "DraftGood";
  /** The good taken. */
  readonly good: Good;
}

/** Which extra good do you start with? */
export interface DraftPrompt {
  readonly type: "DraftPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** The goods from which the seat chooses: those left in the set that is passed around. */
  readonly goods: Goods;
  /** Its clause of the rulebook. */
  readonly clause: "SET-22";
}

/** Chance lets a player draw a card. */
export interface DrawCard {
  readonly type: "DrawCard";
  /** The card drawn. */
  readonly character: Character;
}

/**
 * A question to chance: which card does a player draw?
 * The prompt is repeated until the hand is full or no card is left to draw.
 */
export interface DrawPrompt {
  readonly type: "DrawPrompt";
  /** The seat that draws. */
  readonly player: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-18";
}

/** A player declined the effect of a card or the offer of a prompt. */
export interface EffectDeclined {
  readonly type: "EffectDeclined";
  /** The seat that declined the effect or the offer. */
  readonly seat: Seat;
  /** The clause that allows the player to decline. */
  readonly clause: ClauseId;
}

/** A played card had no effect, because its effect could not change anything. */
export interface EffectFizzled {
  readonly type: "EffectFizzled";
  /** The seat that played the card. */
  readonly seat: Seat;
  /** The card that was played. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-14";
}

/**
 * The ruling *effects*: must the effect of a played card be carried out?
 * compulsory: Effects must be carried out as far as possible, unless the card leaves a choice.
 * optional: Effects may be declined, except that Valette must advance.
 */
export type Effects = "compulsory" | "optional";

/**
 * One of the three conditions that trigger the final phase.
 * last_barrel: Valette has reached the space with the last barrel.
 * score: A player has 25 points or more.
 * houses: A player has built all eight houses.
 */
export type EndCondition = "last_barrel" | "score" | "houses";

/** The step in which a player discards the played cards and starts to refill the hand. */
export interface EndTurn {
  readonly type: "EndTurn";
  /** The seat whose turn ends. */
  readonly seat: Seat;
}

/** A document that holds a value of the kind Event. */
export interface EventDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Event";
  readonly value: RedactedEvent;
}

/** The facts of a violation or an error. */
export interface Facts {
  readonly action?: string;
  readonly asked?: Seat | null;
  readonly building?: BuildingCode;
  readonly candidates?: readonly Action[];
  readonly character?: Character;
  readonly good?: Good;
  readonly goods?: Goods;
  readonly id?: string;
  readonly language?: string;
  readonly line?: WholeNumber | null;
  readonly missing?: Goods;
  readonly move?: WholeNumber | null;
  readonly now?: WholeNumber;
  readonly owned?: Count;
  readonly owner?: Seat | null;
  readonly payment?: Goods;
  readonly players?: WholeNumber;
  readonly price?: Goods;
  readonly prompt?: string;
  readonly reason?: string;
  readonly revision?: WholeNumber;
  readonly seat?: WholeNumber | null;
  readonly site?: Site;
  readonly source?: string;
  readonly suggestions?: readonly string[];
  readonly text?: string;
}

/** The final phase began: every discard pile was added to its draw pile. */
export interface FinalPhaseBegan {
  readonly type: "FinalPhaseBegan";
  /** Its clause of the rulebook. */
  readonly clause: "FIN-5";
}

/** A player fulfilled an end condition in the main phase. */
export interface FinalPhaseTriggered {
  readonly type: "FinalPhaseTriggered";
  /** The seat that fulfilled the condition. */
  readonly seat: Seat;
  /** The condition that is fulfilled. */
  readonly condition: EndCondition;
  /** The clause that states the condition. */
  readonly clause: ClauseId;
}

/** The game is over. */
export interface GameEnded {
  readonly type: "GameEnded";
  /** The scores and the winners. */
  readonly outcome: Outcome;
  /** Its clause of the rulebook. */
  readonly clause: "FIN-16";
}

/** Any event. The union is complete: no other type is an event. */
export type GameEvent = BuildingDealt | CardDrawn | Reshuffled | GoodDrafted | TurnBegan | CardPlayed | CardCopied | EffectDeclined | EffectFizzled | GoodsTaken | GoodsReturned | GoodsGiven | PointsScored | Built | Upgraded | ValetteMoved | BarrelRevealed | Dismissed | Hired | PlayedCardsDiscarded | FinalPhaseTriggered | FinalPhaseBegan | PlayerDroppedOut | GameEnded;

/**
 * A game, or the beginning of a game, with all data needed to replay it.
 * The actions are not checked before the record is replayed. Raises ValueError or TypeError for names, notes and actions that cannot be written to a file.
 */
export interface GameRecord {
  /** The number of players. */
  readonly players: PlayerCount;
  /** The rule set of the game. */
  readonly rules: RuleSet;
  /** The card set of the game. */
  readonly cards: Cards;
  /** All actions in order, including chance actions. */
  readonly actions: readonly Action[];
  /** The names of the players, in the order of seats. Empty if the names are unknown. */
  readonly names: readonly string[];
  /** The notes, in the order of the moves that they follow. */
  readonly notes: readonly Note[];
}

/** A position of a game: the table, the cards and goods of all players, and the agenda. */
export interface GameState {
  /** The rule set of the game. */
  readonly rules: RuleSet;
  /** The card set of the game. */
  readonly cards: Cards;
  /** The buildings of the display, in the order of their sites. */
  readonly display: readonly Building[];
  /** The players by seat, clockwise from the start player. */
  readonly players: readonly Player[];
  /** The characters in the character supply, which players can hire. */
  readonly supply: CardBag;
  /** The barrel tokens not yet revealed. */
  readonly barrels: Goods;
  /** The space of Valette, from 1 to 25, or 0 for the tower. */
  readonly valette: Space;
  /** The seat whose turn it is. */
  readonly active: Seat;
  /** The cards played this turn, in order. */
  readonly played: readonly Character[];
  /** The current phase of the game. */
  readonly phase: Phase;
  /** The remaining steps of the game, the next step first. */
  readonly agenda: readonly Step[];
}

/** A document that holds a value of the kind GameState. */
export interface GameStateDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "GameState";
  readonly value: GameState;
}

/** Choose the good to give to another player. */
export interface GiveGood {
  readonly type: "GiveGood";
  /** The good given. */
  readonly good: Good;
}

/** One of the four kinds of good: gold, wood, stone and brick. */
export type Good = "gold" | "wood" | "stone" | "brick";

/** A player took an extra good from the set that is passed around before the first turn. */
export interface GoodDrafted {
  readonly type: "GoodDrafted";
  /** The seat that chose the good. */
  readonly seat: Seat;
  /** The good that the player took. */
  readonly good: Good;
  /** Its clause of the rulebook. */
  readonly clause: "SET-22";
}

/**
 * Counts of the four kinds of good, for example a player's goods, a cost or a payment.
 * The counts are whole numbers. In a position, no count is negative. Goods are ordered by gold, then wood, then stone, then brick.
 */
export interface Goods {
  readonly gold: Amount;
  readonly wood: Amount;
  readonly stone: Amount;
  readonly brick: Amount;
}

/** A player gave goods to another player. */
export interface GoodsGiven {
  readonly type: "GoodsGiven";
  /** The seat that gave the goods. */
  readonly giver: Seat;
  /** The seat that received the goods. */
  readonly taker: Seat;
  /** The goods given. */
  readonly goods: Goods;
  /** The rulebook clause under which the goods were given. */
  readonly clause: ClauseId;
}

/** A player returned goods to the general supply. */
export interface GoodsReturned {
  readonly type: "GoodsReturned";
  /** The seat that returned the goods. */
  readonly seat: Seat;
  /** The goods returned; never empty. */
  readonly goods: Goods;
  /** The rulebook clause under which the goods were returned. */
  readonly clause: ClauseId;
}

/** A player took goods from the general supply. */
export interface GoodsTaken {
  readonly type: "GoodsTaken";
  /** The seat that took the goods. */
  readonly seat: Seat;
  /** The goods taken; never empty. */
  readonly goods: Goods;
  /** The rulebook clause under which the goods were taken. */
  readonly clause: ClauseId;
}

/** A player drew a card, and the viewer may not know which card. */
export interface HiddenCardDrawn {
  readonly type: "HiddenCardDrawn";
  /** The seat that drew the card. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-17";
}

/** Hire a character from the character supply to the hand. */
export interface Hire {
  readonly type: "Hire";
  /** The card hired. */
  readonly character: Character;
}

/** A player hired a character from the character supply. */
export interface Hired {
  readonly type: "Hired";
  /** The seat that hired the character. */
  readonly seat: Seat;
  /** The card hired. */
  readonly character: Character;
  /** Its clause of the rulebook. */
  readonly clause: "VAL-12";
}

/** Any entry of a log. The union is complete: no other type is an entry. */
export type LogEntry = Opened | Answered | Undone | Redone;

/** A document that holds a value of the kind LogEntry. */
export interface LogEntryDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "LogEntry";
  readonly value: LogEntry;
}

/** Which good does your Maid take? */
export interface MaidPrompt {
  readonly type: "MaidPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "RED-6";
}

/** Which good do you give to the player who played the Monk? */
export interface MonkPrompt {
  readonly type: "MonkPrompt";
  /** The opponent who gives the good. */
  readonly seat: Seat;
  /** The seat that played the Monk. */
  readonly taker: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "BLU-2";
}

/**
 * The changes in a game since an earlier revision, as the client of one seat may see them.
 * A client that has a list of moves updates it with moves[news.kept :] = news.steps.
 */
export interface News {
  /** The current revision. The client sends this number with its next action and its next request for news. */
  readonly revision: Count;
  /** The number of moves at the start of the client's list that are still part of the game. The client deletes any later moves, because they were undone. */
  readonly kept: Count;
  /** The events of each move after the first kept moves, redacted for the seat. */
  readonly steps: readonly (readonly RedactedEvent[])[];
  /** The current view of the seat. */
  readonly view: PlayerView;
}

/** A document that holds a value of the kind News. */
export interface NewsDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "News";
  readonly value: News;
}

/** A comment on a game, on one line. */
export interface Note {
  /** The number of moves that precede the note. */
  readonly after: Count;
  /** The text of the note, which is one line and not empty. */
  readonly text: string;
}

/** Your Nun takes three goods of one kind: which kind? */
export interface NunPrompt {
  readonly type: "NunPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "BLU-26";
}

/** The game was opened. This is always the first entry of a log. */
export interface Opened {
  readonly type: "Opened";
  /** The revision after this entry, which is always 0. */
  readonly revision: Count;
  /** The position before the first action of the game. */
  readonly start: GameState;
  /** Whether the program answers a prompt automatically if all players can infer the only answer. */
  readonly skip_forced: boolean;
  /** The chance outcomes and forced answers before the first choice of a player. */
  readonly then: readonly Action[];
}

/**
 * The ruling *opening*: how is the advantage of the first player balanced?
 * draft: Each player takes one extra good. The last player in turn order chooses first.
 * draft_and_staggered: As in DRAFT. In addition, the first player plays only one card on the first turn, and the second player only two.
 */
export type Opening = "draft" | "draft_and_staggered";

/** The final scores, the winners, and the clause that decided who won. */
export interface Outcome {
  /** The score of each seat, in seat order. */
  readonly scores: readonly Score[];
  /** The winning seats. If the victory is shared, there are several. */
  readonly winners: readonly Seat[];
  /** The clause that decided who won: SCO-9 for most points, SCO-10 for most houses among tied players, SCO-11 for a shared victory. */
  readonly clause: ClauseId;
}

/** A document that holds a value of the kind Outcome. */
export interface OutcomeDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Outcome";
  readonly value: Outcome;
}

/**
 * The step in which the turn passes to the next player.
 * If an end condition has triggered the final phase, the final phase begins in this step.
 */
export interface PassTurn {
  readonly type: "PassTurn";
  /** The seat whose turn has ended. */
  readonly seat: Seat;
}

/** Pay for a building or an upgrade. */
export interface Pay {
  readonly type: "Pay";
  /** The goods returned to the general supply. */
  readonly goods: Goods;
}

/** With which goods do you pay? */
export interface PaymentPrompt {
  readonly type: "PaymentPrompt";
  /** The seat that pays. */
  readonly seat: Seat;
  /** The chosen site. If the seat owns the house on the site, the payment is for an upgrade, otherwise for a new house. */
  readonly site: Site;
  /** The price after all reductions, but before any substitution of goods. */
  readonly price: Goods;
  /** Its clause of the rulebook. */
  readonly clause: "BLD-19";
}

/**
 * The phases of a game, in order.
 * setup: The table is being set up.
 * main: Players take turns until the final phase begins.
 * final: Every player plays their remaining cards.
 * over: No player has a card left.
 */
export type Phase = "setup" | "main" | "final" | "over";

/** Play a card from the hand, with or without its effect. */
export interface PlayCard {
  readonly type: "PlayCard";
  /** The card played. */
  readonly character: Character;
  /** Whether to carry out the effect. False declines the effect. An effect that lets the player choose has its own prompt, and can be declined only there. */
  readonly use_effect: boolean;
}

/** Which card do you play? */
export interface PlayPrompt {
  readonly type: "PlayPrompt";
  /** The seat whose turn it is. */
  readonly seat: Seat;
  /** The number of cards still to be played this turn, including the card of this prompt. */
  readonly plays: Positive;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-2";
}

/** The cards played in the turn went to the player's discard pile. */
export interface PlayedCardsDiscarded {
  readonly type: "PlayedCardsDiscarded";
  /** The seat whose turn ends. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-16";
}

/** The cards, goods, houses and points of one player. */
export interface Player {
  /** The cards in the hand. */
  readonly hand: CardBag;
  /** The cards to be drawn, in no particular order. */
  readonly draw_pile: CardBag;
  /** The cards played in earlier turns. */
  readonly discard_pile: CardBag;
  /** The player's goods. */
  readonly goods: Goods;
  /** The sites of the player's houses. */
  readonly built: SiteSet;
  /** The sites in built with an upgraded building. */
  readonly upgraded: SiteSet;
  /** The points scored so far. */
  readonly score: Amount;
  /** The cards in the hand that all players know. The player gained these cards by building or hiring, or all players could deduce the hand when the draw pile was empty. */
  readonly shown: CardBag;
}

/** Any action of a player. The union is complete: no other type is an action of a player. */
export type PlayerAction = DraftGood | PlayCard | TakeGood | TakeGoods | ReturnGood | GiveGood | Build | Upgrade | Pay | Dismiss | Hire | Decline;

/** The number of players of a game: 2 to 4. */
export type PlayerCount = number;

/** A player has no card left and takes no further turn. */
export interface PlayerDroppedOut {
  readonly type: "PlayerDroppedOut";
  /** The seat that dropped out. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "FIN-11";
}

/** Any prompt for a player. The union is complete: no other type is a prompt for a player. */
export type PlayerPrompt = DraftPrompt | PlayPrompt | MaidPrompt | SitePrompt | PaymentPrompt | ValettePrompt | MonkPrompt | TraderPrompt | SeamstressPrompt | ArtisanPrompt | NunPrompt | BonusPrompt | ArchitectPrompt;

/** What a player at the table, or a spectator, knows about a position. */
export interface PlayerView {
  /** The seat of the viewer, or None for a spectator. */
  readonly seat: Seat | null;
  /** The table as the viewer sees it. */
  readonly table: Table;
  /** The remaining steps of the game, the next step first. All steps are public. */
  readonly agenda: readonly Step[];
  /** The viewer's legal actions, or an empty tuple if the viewer need not answer. */
  readonly legal_actions: readonly Action[];
}

/** A document that holds a value of the kind PlayerView. */
export interface PlayerViewDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "PlayerView";
  readonly value: PlayerView;
}

/** A player scored points. */
export interface PointsScored {
  readonly type: "PointsScored";
  /** The seat that scored the points. */
  readonly seat: Seat;
  /** The number of points. */
  readonly points: Count;
  /** The rulebook clause under which the points were scored. */
  readonly clause: ClauseId;
}

/** A positive integer. */
export type Positive = number;

/** A defect in a value from outside the package, such as a document. */
export interface Problem {
  /** The path to the defect, such as players[1].goods.wood, or an empty string if the defect concerns the whole value. */
  readonly path: string;
  /** A stable word for the kind of problem, which frontends can translate. */
  readonly code: string;
  /** A description of the problem, to be shown after the path and a colon. */
  readonly message: string;
  /** The id of the clause of the rulebook that the value contradicts, if there is one. */
  readonly clause: ClauseId | null;
}

/** Any prompt. The union is complete: no other type is a prompt. */
export type Prompt = PlayerPrompt | ChancePrompt;

/** A document that holds a value of the kind Prompt. */
export interface PromptDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Prompt";
  readonly value: Prompt;
}

/** A document that holds a value of the kind Record. */
export interface RecordDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Record";
  readonly value: GameRecord;
}

/** Any event as a viewer may see it. The union is complete: no other type is a redacted event. */
export type RedactedEvent = GameEvent | HiddenCardDrawn;

/** A seat restored the answers of the last undo. */
export interface Redone {
  readonly type: "Redone";
  /** The revision after this entry. */
  readonly revision: Count;
  /** The seat that restored the answers. */
  readonly seat: Seat;
  /** The id that the client chose for the call, or None if it chose none. */
  readonly id: CallId | null;
}

/** A description of an error, to be sent to the client that caused the error. */
export interface Refusal {
  /** A stable word for the kind of error. */
  readonly code: string;
  /** The error as a sentence. */
  readonly message: string;
  /** The id of the clause of the rulebook that was violated, if there is one. */
  readonly clause: ClauseId | null;
  /** The facts by name. */
  readonly facts: Facts;
  /** The individual problems, if the error is about a document or a file. */
  readonly problems: readonly Problem[];
}

/** A document that holds a value of the kind Refusal. */
export interface RefusalDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Refusal";
  readonly value: Refusal;
}

/** A player's discard pile became the draw pile because the draw pile was empty. */
export interface Reshuffled {
  readonly type: "Reshuffled";
  /** The seat of the player. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-19";
}

/** Choose the good to return to the general supply. */
export interface ReturnGood {
  readonly type: "ReturnGood";
  /** The good chosen. */
  readonly good: Good;
}

/** Chance reveals the good on a barrel. */
export interface RevealBarrel {
  readonly type: "RevealBarrel";
  /** The good on the barrel. */
  readonly good: Good;
}

/**
 * An edition of the rules, with or without the two variants.
 * Start from a preset: with_variants switches variants on or off, and with_answers changes answers. The constructor accepts the answer to each question as a member of its enumeration, or as the value of the member. Raises ValueError for an answer that does not exist and for a name that is not one line of 1 to 80 printable characters. Raises TypeError for a name or a variant of a wrong type.
 */
export interface RuleSet {
  /** The name of the rule set. The rules of the game do not depend on the name. */
  readonly name: string;
  /** The answer to the ruling *effects*: whether effects are compulsory. */
  readonly effects: Effects;
  /** The answer to the ruling *opening*. The start-player variant overrides it. */
  readonly opening: Opening;
  /** The answer to the ruling *barrel-layout*. The variant with fewer barrels overrides it. */
  readonly barrel_layout: BarrelLayout;
  /** The answer to the ruling *apprentice-colour*: red or purple. */
  readonly apprentice_colour: ApprenticeColour;
  /** Whether the start-player variant is on. It replaces the draft: on the first turn, the first player plays only one card, and the second player only two. */
  readonly start_player_variant: boolean;
  /** Whether the variant for two players is on: only the odd spaces of the street have a barrel, and Valette skips the other spaces. */
  readonly fewer_barrels: boolean;
}

/** A document that holds a value of the kind RuleSet. */
export interface RuleSetDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "RuleSet";
  readonly value: RuleSet;
}

/** One player's line on the score sheet. */
export interface Score {
  /** The player's seat. */
  readonly seat: Seat;
  /** The points that the player scored during the game, as shown on the score track. */
  readonly track: Count;
  /** The points of the player's buildings. Upgraded buildings count double. */
  readonly buildings: Count;
  /** The points for the goods that the player has at the end: one point for every three goods. */
  readonly goods: Count;
  /** The number of houses that the player built, which breaks ties. */
  readonly houses: Count;
  /** The sum of all points. */
  readonly total: Count;
}

/** Which two goods does your Seamstress take? */
export interface SeamstressPrompt {
  readonly type: "SeamstressPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "BLU-10";
}

/** The number of a seat. The start player has seat 0, and the others follow clockwise. */
export type Seat = number;

/** A player as a viewer sees them: the public parts, and the hand if the viewer may see it. */
export interface SeenPlayer {
  /** The player's goods. */
  readonly goods: Goods;
  /** The sites with the player's houses. */
  readonly built: SiteSet;
  /** The sites in built with an upgraded building. */
  readonly upgraded: SiteSet;
  /** The points scored so far. */
  readonly score: Amount;
  /** The cards played in earlier turns. */
  readonly discard_pile: CardBag;
  /** The cards in the hand and in the draw pile together. */
  readonly hidden: CardBag;
  /** The number of cards in the hand. */
  readonly hand_size: Count;
  /** The cards in the hand that all players know. The player gained these cards by building or hiring, or all players could deduce the hand when the draw pile was empty. */
  readonly shown: CardBag;
  /** The cards in the hand if the viewer may see them, otherwise None. */
  readonly hand: CardBag | null;
}

/** The number of a site in the display. Sites are numbered from 0, in the order of dealing. */
export type Site = number;

/** Where do you build, or what do you upgrade? */
export interface SitePrompt {
  readonly type: "SitePrompt";
  /** The seat that may build. */
  readonly seat: Seat;
  /** The reduction in price from the effect of the played card. */
  readonly reduction: Goods;
  /** Its clause of the rulebook. */
  readonly clause: "BLD-1";
}

/** Sites in ascending order, each once. */
export type SiteSet = readonly Site[];

/** The number of a space of the street, or 0 for the tower. */
export type Space = number;

/** Any step of an agenda. The union is complete: no other type is a step. */
export type Step = Prompt | Turn | EndTurn | PassTurn;

/** The table as a viewer sees it: all fields of a position except the agenda. */
export interface Table {
  /** The rule set of the game. */
  readonly rules: RuleSet;
  /** The card set of the game. */
  readonly cards: Cards;
  /** The buildings of the display, in the order of their sites. */
  readonly display: readonly Building[];
  /** The players by seat, clockwise from the start player. */
  readonly players: readonly SeenPlayer[];
  /** The characters in the character supply, which players can hire. */
  readonly supply: CardBag;
  /** The barrel tokens not yet revealed. */
  readonly barrels: Goods;
  /** The space of Valette, from 1 to 25, or 0 for the tower. */
  readonly valette: Space;
  /** The seat whose turn it is. */
  readonly active: Seat;
  /** The cards played this turn, in order. */
  readonly played: readonly Character[];
  /** The current phase of the game. */
  readonly phase: Phase;
}

/** Choose the good to take. */
export interface TakeGood {
  readonly type: "TakeGood";
  /** The good chosen. */
  readonly good: Good;
}

/** Choose the goods to take. */
export interface TakeGoods {
  readonly type: "TakeGoods";
  /** The goods chosen. */
  readonly goods: Goods;
}

/** Which material do you return to the supply for the Trader? */
export interface TraderPrompt {
  readonly type: "TraderPrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "BLU-7";
}

/** The result of an action: the new position and the events that led to it. */
export interface Transition {
  /** The new position. */
  readonly state: GameState;
  /** The events, in order. */
  readonly events: readonly GameEvent[];
}

/** A document that holds a value of the kind Transition. */
export interface TransitionDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Transition";
  readonly value: Transition;
}

/** The step in which a player's turn begins. */
export interface Turn {
  readonly type: "Turn";
  /** The seat whose turn it is. */
  readonly seat: Seat;
  /** The number of cards to be played in the turn. */
  readonly plays: Positive;
}

/** A player's turn began. The player may play up to plays cards. */
export interface TurnBegan {
  readonly type: "TurnBegan";
  /** The seat whose turn it is. */
  readonly seat: Seat;
  /** The number of cards that the player may play. */
  readonly plays: Positive;
  /** Its clause of the rulebook. */
  readonly clause: "TRN-1";
}

/** A seat undid answers. */
export interface Undone {
  readonly type: "Undone";
  /** The revision after this entry. */
  readonly revision: Count;
  /** The seat that undid the answers. */
  readonly seat: Seat;
  /** The earlier revision to which the game returned. */
  readonly to: Count;
  /** The id that the client chose for the call, or None if it chose none. */
  readonly id: CallId | null;
}

/** Choose one of your own buildings to upgrade. */
export interface Upgrade {
  readonly type: "Upgrade";
  /** The number of the building's site, counted from 0. */
  readonly site: Site;
}

/** A player upgraded a building. */
export interface Upgraded {
  readonly type: "Upgraded";
  /** The seat that upgraded the building. */
  readonly seat: Seat;
  /** The site of the building. */
  readonly site: Site;
  /** Its clause of the rulebook. */
  readonly clause: "BLD-30";
}

/** Valette moved along the street. */
export interface ValetteMoved {
  readonly type: "ValetteMoved";
  /** The space that Valette reached, 1 to 25. */
  readonly space: Space;
  /** The rulebook clause under which he moved. */
  readonly clause: ClauseId;
}

/** Do you dismiss a character, hire one, or neither? */
export interface ValettePrompt {
  readonly type: "ValettePrompt";
  /** The seat that chooses. */
  readonly seat: Seat;
  /** Its clause of the rulebook. */
  readonly clause: "VAL-8";
}

/** The reason why an action is illegal. */
export interface Violation {
  /** The id of the clause that the action would violate. */
  readonly clause: ClauseId;
  /** The kind of violation. */
  readonly code: Code;
  /** The reason in one sentence. */
  readonly message: string;
  /** The facts by name. */
  readonly facts: Facts;
}

/** A document that holds a value of the kind Violation. */
export interface ViolationDocument {
  /** The version of the format. */
  readonly valletta_rules: 2;
  /** The kind of the value. */
  readonly kind: "Violation";
  readonly value: Violation;
}

/** Any integer that documents can represent. */
export type WholeNumber = number;
