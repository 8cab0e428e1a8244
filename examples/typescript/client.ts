/**
 * What a page needs to show a game and to answer: it knows no rule, only what it is sent.
 *
 * Every union is told apart to its last member, so that the compiler names whatever is new.
 */
import type {
  Action, Character, Goods, PlayerView, Prompt, RedactedEvent, Site, Step, VallettaDocument,
} from 'valletta';

/** What cannot be: the compiler refuses it as long as a case is missing. */
function never(value: never): never {
  throw new TypeError(`not known: ${JSON.stringify(value)}`);
}

/** The question that a view asks, or nothing when the game is over. */
export function promptOf(view: PlayerView): Prompt | null {
  const step = view.agenda[0];
  return step !== undefined && isPrompt(step) ? step : null;
}

function isPrompt(step: Step): step is Prompt {
  return step.type !== 'Turn' && step.type !== 'EndTurn' && step.type !== 'PassTurn';
}

/** A title for the page while a question is asked. */
export function title(prompt: Prompt): string {
  switch (prompt.type) {
    case 'DraftPrompt': return `Take one of ${count(prompt.goods)} goods`;
    case 'PlayPrompt': return `Play a card (${prompt.plays} left)`;
    case 'SitePrompt': return 'Build or upgrade';
    case 'PaymentPrompt': return `Pay ${count(prompt.price)} goods for site ${prompt.site}`;
    case 'ValettePrompt': return 'Dismiss or hire';
    case 'MonkPrompt': return 'Give a good';
    case 'MaidPrompt':
    case 'SeamstressPrompt':
    case 'BonusPrompt': return 'Take goods';
    case 'ArtisanPrompt':
    case 'NunPrompt':
    case 'ArchitectPrompt': return 'Name a good';
    case 'TraderPrompt': return 'Return a good';
    case 'DealPrompt':
    case 'DrawPrompt':
    case 'BarrelPrompt': return 'Chance decides';
    default: return never(prompt);
  }
}

export function count(goods: Goods): number {
  return goods.gold + goods.wood + goods.stone + goods.brick;
}

/** The site or the card in the drawing that an action is about; most are about neither. */
export function aim(action: Action): { site: Site } | { card: Character } | null {
  switch (action.type) {
    case 'Build':
    case 'Upgrade': return { site: action.site };
    case 'PlayCard':
    case 'Dismiss':
    case 'Hire':
    case 'DrawCard': return { card: action.character };
    case 'Decline':
    case 'DealBuilding':
    case 'DraftGood':
    case 'GiveGood':
    case 'Pay':
    case 'ReturnGood':
    case 'RevealBarrel':
    case 'TakeGood':
    case 'TakeGoods': return null;
    default: return never(action);
  }
}

/** The legal actions that a click in the drawing may mean. */
export function meant(view: PlayerView, clicked: Element): Action[] {
  const shown = clicked.closest('.legal');
  if (shown === null) return [];
  return view.legal_actions.filter(action => {
    const target = aim(action);
    if (target === null) return false;
    return 'site' in target
      ? shown.getAttribute('data-site') === String(target.site)
      : shown.getAttribute('data-card') === target.card;
  });
}

/** Exchange the parts of a drawing that have changed, given as markup by their keys. */
export function patch(drawing: SVGSVGElement, parts: Readonly<Record<string, string>>): void {
  for (const [key, markup] of Object.entries(parts)) {
    const whole = `<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`;
    const part = new DOMParser().parseFromString(whole, 'image/svg+xml').documentElement.firstElementChild;
    if (part === null) throw new TypeError(`nothing to show of ${key}`);
    drawing.querySelector(`[data-part="${key}"]`)?.replaceWith(document.importNode(part, true));
  }
}

/** The elements of a drawing to which an event draws the eye. */
export function stage(event: RedactedEvent): string[] {
  switch (event.type) {
    case 'BuildingDealt':
    case 'Built':
    case 'Upgraded': return [`[data-part="site-${event.site}"]`];
    case 'ValetteMoved': return ['.valette'];
    case 'PointsScored': return [`.figure[data-seat="${event.seat}"]`];
    case 'BarrelRevealed': return ['[data-part="barrels"]'];
    case 'Dismissed':
    case 'Hired': return ['[data-part="supply"]', player(event.seat)];
    case 'CardPlayed':
    case 'CardCopied': return ['[data-part="played"]'];
    case 'GoodsGiven': return [player(event.giver), player(event.taker)];
    case 'CardDrawn':
    case 'HiddenCardDrawn':
    case 'Reshuffled':
    case 'GoodDrafted':
    case 'TurnBegan':
    case 'EffectDeclined':
    case 'EffectFizzled':
    case 'GoodsTaken':
    case 'GoodsReturned':
    case 'PlayedCardsDiscarded':
    case 'FinalPhaseTriggered':
    case 'PlayerDroppedOut': return [player(event.seat)];
    case 'FinalPhaseBegan':
    case 'GameEnded': return [];
    default: return never(event);
  }
}

function player(seat: number): string {
  return `[data-part="player-${seat}"]`;
}

/** What a page keeps of what it is sent. */
export interface Seen {
  readonly view: PlayerView | null;
  readonly refusal: string | null;
}

/** Take in a document: a view, news, or why an answer was refused.  Nothing else comes to a page. */
export function receive(sent: VallettaDocument, seen: Seen): Seen {
  switch (sent.kind) {
    case 'PlayerView': return { view: sent.value, refusal: null };
    case 'News': return { view: sent.value.view, refusal: null };
    case 'Refusal': return { ...seen, refusal: sent.value.message };
    case 'Violation': return { ...seen, refusal: `${sent.value.message} [${sent.value.clause}]` };
    case 'Event':
    case 'Action':
    case 'Prompt':
    case 'Outcome':
    case 'RuleSet':
    case 'CardSet':
    case 'Record':
    case 'Transition':
    case 'GameState': return seen;
    default: return never(sent);
  }
}
