/** A game at one screen, without a server: the rules are the package's.  The browser keeps the log, so a page that is loaded again goes on. */

import { IllegalActionError, byRandom, load } from 'valletta-rules';
import { Game, GameError, LogError } from 'valletta-rules/game';
import { describeAction, describePrompt, narrate } from 'valletta-rules/words';
import words from 'valletta-rules/words/en';

/** @import { Action, Character } from 'valletta-rules' */

const rules = await load();
const at = id => /** @type {any} */ (document.getElementById(id));
const made = (name, parts, ...inside) => {
  const element = Object.assign(document.createElement(name), parts);
  element.append(...inside);
  return element;
};
const picture = (name, alt, className = '') => made('img', { src: import.meta.resolve(`valletta-rules/pictures/${name}.svg`), alt, className });
const goods = amounts => Object.entries(amounts).filter(([, amount]) => amount).flatMap(([good, amount]) => [picture(good, words.goods[good], 'good'), String(amount)]);

const draw = byRandom(Math.random);

let game;

/** What cannot be: the compiler refuses it as long as a case is missing. @type {(value: never) => never} */
const never = value => { throw new TypeError(`not known: ${JSON.stringify(value)}`); };

/** The site or the card that an action is about; most are about neither.
 *  @param {Action} action  @returns {{ site: number } | { card: Character } | null} */
function aim(action) {
  switch (action.type) {
    case 'Build': case 'Upgrade': return { site: action.site };
    case 'PlayCard': case 'Dismiss': case 'Hire': case 'DrawCard': return { card: action.character };
    case 'Decline': case 'DraftGood': case 'GiveGood': case 'Pay': case 'ReturnGood': case 'TakeGood': case 'TakeGoods':
    case 'DealBuilding': case 'RevealBarrel': return null;
    default: return never(action);
  }
}

/** The legal actions that a click on an element may mean, by its `data-site` or `data-card`.
 *  @param {readonly Action[]} legal  @param {Element} clicked */
function meant(legal, clicked) {
  const [site, card] = [clicked.getAttribute('data-site'), clicked.getAttribute('data-card')];
  return legal.filter(action => {
    const target = aim(action);
    return target !== null && ('site' in target ? String(target.site) === site : target.card === card);
  });
}

/** What has happened: each event with the position before it. */
function told() {
  const { transitions } = game.transitionsSince(null);
  const before = [game.start, ...transitions.map(({ state }) => state)];
  return transitions.flatMap(({ events }, place) => events.map(event => ({ event, before: before[place] })));
}

function show() {
  const { position: state, prompt, revision, asked: seat } = game;
  const { display, players } = state;
  const legal = rules.legalActions(state);
  const outcome = rules.outcome(state);
  const { clause } = outcome ?? prompt;
  const answer = action => call(() => game.answer(action, { seat, revision, draw, id: `answer-${revision}` }));
  at('question').textContent = outcome ? result(outcome) : describePrompt(state, words);
  at('clause').textContent = `${words.clauses[clause].text} [${clause}]`;
  at('refusal').textContent = '';
  at('answers').replaceChildren(...legal.map(action => made('button', { onclick: () => answer(action) }, describeAction(state, action, words))));
  at('display').replaceChildren(...display.map((building, site) => place(building, site, players, legal, answer)));
  at('seats').replaceChildren(...players.map((player, each) => board(player, each, seat === each, legal, answer)));
  at('events').replaceChildren(...told().slice(-60).reverse().map(({ event, before }) => (
    made('li', {}, `${narrate(event, before, words, { reader: seat })} [${event.clause}]`))));
  at('undo').disabled = !game.lastChoice;
  at('redo').disabled = !game.canRedo;
}

/** Carries out a call and keeps its entry, or says why it is refused.  The ids of calls make a second click one call. */
function call(carryOut) {
  try {
    const [next, entry] = carryOut();
    if (next !== game) keep(next, entry);
  } catch (error) {
    if (!(error instanceof IllegalActionError || error instanceof GameError)) throw error;
    at('refusal').textContent = error instanceof GameError ? error.message : forbidden(error.violation);
  }
}

const forbidden = ({ code, clause }) => `${code}: ${words.clauses[clause].text} [${clause}]`;

const item = revision => `valletta-${revision}`;

/** Appends an entry to the log, and only then shows the game after it. */
function keep(next, entry) {
  localStorage.setItem(item(entry.revision), rules.toJson(entry));
  game = next;
  show();
}

/** Runs through the log that the browser keeps, entry by entry. */
function* kept() {
  for (let revision = 0, text; (text = localStorage.getItem(item(revision))) !== null; revision++) yield text;
}

/** A site or a card: a click plays what it may mean, or says why that is illegal. */
function choice(data, legal, answer, otherwise, ...inside) {
  const element = made('button', {}, ...inside);
  element.setAttribute(...data);
  const [action] = meant(legal, element);
  return Object.assign(element, { className: action ? 'legal' : '', onclick: () => answer(action ?? otherwise) });
}

function place({ code, character, icon, points, cost }, site, players, legal, answer) {
  const owner = players.findIndex(each => each.built.includes(site));
  const sign = owner < 0 ? '' : `${players[owner].upgraded.includes(site) ? '▲' : '■'} ${words.seats[owner]}`;
  const lines = [[`${points} points`, picture(icon, words.goods[icon], 'good')], ['costs', ...goods(cost)], [sign]];
  return choice(['data-site', site], legal, answer, { type: 'Build', site }, made('b', {}, `${code} ${words.characters[character]}`), ...lines.map(line => made('small', {}, ...line)));
}

function board({ goods: owned, score, hand, built }, seat, isAsked, legal, answer) {
  const cards = Object.entries(hand).flatMap(([character, count]) => Array(count).fill(character));
  const card = character => choice(['data-card', character], legal, answer, { type: 'PlayCard', character, use_effect: true }, picture(character, words.characters[character]));
  const shown = made('div', { className: 'hand' }, ...(isAsked ? cards.map(card) : [`${cards.length} cards`]));
  return made('div', { className: isAsked ? 'seat asked' : 'seat' }, made('b', {}, words.seats[seat]), ` ${score} points, ${built.length} houses`, ...goods(owned), shown);
}

const result = ({ scores, winners }) => `${winners.map(seat => words.seats[seat]).join(' and ')} : ${scores.map(({ seat, total }) => `${words.seats[seat]} ${total}`).join(', ')}`;

function begin() {
  [...kept()].forEach((_, revision) => localStorage.removeItem(item(revision)));
  const begun = Game.begin(rules, rules.newGame({ players: Number(at('players').value) }), { draw });
  keep(begun, begun.entry);
}

const hotSeat = method => call(() => game[method]({ seat: game.lastChoice?.seat ?? 0, revision: game.revision }));
at('begin').onclick = begin;
at('undo').onclick = () => hotSeat('undo');
at('redo').onclick = () => hotSeat('redo');
try {
  game = Game.replay(rules, kept());
  show();
} catch (error) {
  if (!(error instanceof LogError)) throw error;
  begin();
}
