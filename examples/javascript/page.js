/** A game at one screen, without a server: the rules are the package's. */

import { formatAction, load } from 'valletta-rules';
import { describePrompt, narrate } from 'valletta-rules/words';
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

let now; // the position, what has happened, and all of that before the last answer

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

const carried = (game, action) => {
  const { state, events } = rules.transition(game.state, action);
  return { ...game, state, events: [...game.events, ...events.map(event => ({ event, before: game.state }))] };
};

/** Lets chance answer, one prompt at a time, so that its events are told, too. */
function resolved(game) {
  while (game.state.asksChance) game = carried(game, rules.sampleChance(game.state, Math.random));
  return game;
}

function show(game) {
  now = game;
  const { state, events } = game;
  const { prompt, display, players } = state;
  const legal = rules.legalActions(state);
  const outcome = rules.outcome(state);
  const { clause } = outcome ?? prompt;
  at('question').textContent = outcome ? result(outcome) : describePrompt(state, words);
  at('clause').textContent = `${words.clauses[clause].text} [${clause}]`;
  at('refusal').textContent = '';
  at('answers').replaceChildren(...legal.map(action => made('button', { onclick: () => answer(action) }, said(action))));
  at('display').replaceChildren(...display.map((building, site) => place(building, site, players, legal)));
  at('seats').replaceChildren(...players.map((player, seat) => board(player, seat, prompt?.seat === seat, legal)));
  at('events').replaceChildren(...events.slice(-60).reverse().map(({ event, before }) => (
    made('li', {}, `${narrate(event, before, words, { reader: prompt?.seat ?? null })} [${event.clause}]`))));
  at('undo').disabled = !game.before;
}

/** Plays an action, or says by which clause it is illegal. */
function answer(action) {
  const reason = rules.check(now.state, action);
  if (reason) at('refusal').textContent = `${reason.code}: ${words.clauses[reason.clause].text} [${reason.clause}]`;
  else show(resolved(carried({ ...now, before: now }, action)));
}

/** A site or a card: a click plays what it may mean, or says why that is illegal. */
function choice(data, legal, otherwise, ...inside) {
  const element = made('button', {}, ...inside);
  element.setAttribute(...data);
  const [action] = meant(legal, element);
  return Object.assign(element, { className: action ? 'legal' : '', onclick: () => answer(action ?? otherwise) });
}

function place({ code, character, icon, points, cost }, site, players, legal) {
  const owner = players.findIndex(each => each.built.includes(site));
  const sign = owner < 0 ? '' : `${players[owner].upgraded.includes(site) ? '▲' : '■'} ${words.seats[owner]}`;
  const lines = [[`${points} points`, picture(icon, words.goods[icon], 'good')], ['costs', ...goods(cost)], [sign]];
  return choice(['data-site', site], legal, { type: 'Build', site }, made('b', {}, `${code} ${words.characters[character]}`), ...lines.map(line => made('small', {}, ...line)));
}

function board({ goods: owned, score, hand, built }, seat, isAsked, legal) {
  const cards = Object.entries(hand).flatMap(([character, count]) => Array(count).fill(character));
  const card = character => choice(['data-card', character], legal, { type: 'PlayCard', character, use_effect: true }, picture(character, words.characters[character]));
  const shown = made('div', { className: 'hand' }, ...(isAsked ? cards.map(card) : [`${cards.length} cards`]));
  return made('div', { className: isAsked ? 'seat asked' : 'seat' }, made('b', {}, words.seats[seat]), ` ${score} points, ${built.length} houses`, ...goods(owned), shown);
}

const said = action => formatAction(action).replace(/[a-z]+(_[a-z]+)*/g, word => words.characters[word] ?? words.goods[word] ?? word);
const result = ({ scores, winners }) => `${winners.map(seat => words.seats[seat]).join(' and ')} : ${scores.map(({ seat, track, buildings, goods }) => `${words.seats[seat]} ${track + buildings + goods}`).join(', ')}`;

const begin = () => show(resolved({ state: rules.newGame({ players: Number(at('players').value) }), events: [], before: null }));
at('begin').onclick = begin;
at('undo').onclick = () => show(now.before);
begin();
