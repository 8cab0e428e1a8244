/** A game for players who share one screen. It needs no game server: the browser stores the log, so a game continues after a reload. */

import { IllegalActionError, byRandom, load } from 'valletta-rules';
import { Game, GameError, LogError } from 'valletta-rules/game';
import { describeAction, describePrompt, narrate } from 'valletta-rules/words';
import words from 'valletta-rules/words/en';

/** @import { Action } from 'valletta-rules' */

const LOG = 'valletta';

const rules = await load();
const draw = byRandom(Math.random);
const at = id => /** @type {any} */ (document.getElementById(id));
const create = (name, parts, ...inside) => {
  const element = Object.assign(document.createElement(name), parts);
  element.append(...inside);
  return element;
};
const picture = (name, alt, className = '') => create('img', { src: import.meta.resolve(`valletta-rules/pictures/${name}.svg`), alt, className });
const icon = good => picture(good, words.goods[good], 'good');
const goods = amounts => Object.entries(amounts).flatMap(([good, amount]) => (amount ? [icon(good), String(amount)] : []));

let game;

/** Returns the log entries in the storage of the browser, as JSON texts. */
const storedLog = () => localStorage.getItem(LOG)?.split('\n') ?? [];

/** Appends an entry to the stored log, and then shows the game. */
function keep(next, entry) {
  localStorage.setItem(LOG, [...storedLog(), rules.toJson(entry)].join('\n'));
  game = next;
  show();
}

/** Executes a call and stores its log entry, or shows why it was refused.
 *  The second click of a double click on an answer repeats the id, and returns the same game. */
function call(carryOut) {
  try {
    const [next, entry] = carryOut();
    if (next !== game) keep(next, entry);
  } catch (error) {
    if (!(error instanceof IllegalActionError || error instanceof GameError)) throw error;
    at('refusal').textContent = error instanceof GameError ? error.message : clauseOf(error.violation);
  }
}

const clauseOf = ({ clause }) => `${words.clauses[clause].text} [${clause}]`;

function show() {
  const { position: state, revision, asked: seat } = game;
  const legal = rules.legalActions(state);
  const answer = action => call(() => game.answer(action, { seat, revision, draw, id: `answer-${revision}` }));
  const choice = (dataset, otherwise, ...inside) => clickable(legal, answer, dataset, otherwise, ...inside);
  const lines = game.transitionsSince(null).transitions.flatMap(({ events, before }) => (
    events.map(event => `${narrate(event, before, words, { reader: seat })} [${event.clause}]`)));
  at('question').textContent = game.prompt ? describePrompt(state, words) : lines.at(-1);
  at('clause').textContent = clauseOf(game.prompt ?? rules.outcome(state));
  at('refusal').textContent = '';
  at('answers').replaceChildren(...legal.map(action => create('button', { onclick: () => answer(action) }, describeAction(state, action, words))));
  at('display').replaceChildren(...state.display.map((building, site) => place(building, site, state.players, choice)));
  const space = state.valette ? `space ${state.valette}` : 'the tower';
  at('street').replaceChildren(`Valette is on ${space}. Hidden barrels:`, ...goods(state.barrels));
  at('seats').replaceChildren(...state.players.map((player, each) => board(player, each, seat === each, choice)));
  at('events').replaceChildren(...lines.slice(-60).reverse().map(line => create('li', {}, line)));
  at('undo').disabled = !game.lastChoice;
  at('redo').disabled = !game.canRedo;
}

/** Returns the legal actions for a click on an element with this `data-site` or `data-card`.
 *  @param {readonly Action[]} legal  @param {DOMStringMap} dataset */
function meant(legal, { site, card }) {
  return legal.filter(action => ('site' in action ? String(action.site) === site : 'character' in action && action.character === card));
}

/** Returns a button for a site or a card. A click plays its legal action.
 *  If there is none, the click tries the action `otherwise`, which shows why this is illegal. */
function clickable(legal, answer, dataset, otherwise, ...inside) {
  const element = create('button', {}, ...inside);
  Object.assign(element.dataset, dataset);
  const [action] = meant(legal, element.dataset);
  return Object.assign(element, { className: action ? 'legal' : '', onclick: () => answer(action ?? otherwise) });
}

const several = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function place({ code, character, icon: good, points, cost }, site, players, choice) {
  const owner = players.findIndex(each => each.built.includes(site));
  const sign = owner < 0 ? '' : `${players[owner].upgraded.includes(site) ? '▲' : '■'} ${words.seats[owner]}`;
  const title = create('b', {}, `${site + 1} · ${code} ${words.characters[character]}`);
  const lines = [[several(points, 'point'), icon(good)], ['costs', ...goods(cost)], [sign]];
  return choice({ site }, { type: 'Build', site }, title, ...lines.map(line => create('small', {}, ...line)));
}

function board({ goods: owned, score, hand, built }, seat, isAsked, choice) {
  const cards = Object.entries(hand).flatMap(([character, count]) => Array(count).fill(character));
  const play = character => ({ type: 'PlayCard', character, use_effect: true });
  const visible = isAsked ? cards.map(card => choice({ card }, play(card), picture(card, words.characters[card]))) : [several(cards.length, 'card')];
  const title = create('b', {}, words.seats[seat]);
  const houses = ` ${several(score, 'point')}, ${several(built.length, 'house')}`;
  return create('div', { className: isAsked ? 'seat asked' : 'seat' }, title, houses, ...goods(owned), create('div', { className: 'hand' }, ...visible));
}

function begin() {
  localStorage.removeItem(LOG);
  const started = Game.begin(rules, rules.newGame({ players: Number(at('players').value) }), { draw });
  keep(started, started.entry);
}

const hotSeat = method => call(() => game[method]({ seat: game.lastChoice?.seat ?? 0, revision: game.revision }));
at('begin').onclick = begin;
at('undo').onclick = () => hotSeat('undo');
at('redo').onclick = () => hotSeat('redo');
try {
  game = Game.replay(rules, storedLog());
  show();
} catch (error) {
  if (!(error instanceof LogError)) throw error;
  begin();
}
