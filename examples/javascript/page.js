/** A hot-seat game on the package, without a server: python -m http.server, then /examples/javascript/ */

import { formatAction, load } from 'valletta-rules';
import words from 'valletta-rules/words-en.js';

const rules = await load();
const at = id => document.getElementById(id);
const made = (name, parts, ...inside) => {
  const element = Object.assign(document.createElement(name), parts);
  element.append(...inside);
  return element;
};
const picture = (name, alt, className = '') => made('img', { src: new URL(`../../src/javascript/dist/pictures/${name}.svg`, import.meta.url), alt, className });
const goods = amounts => Object.entries(amounts).flatMap(([good, amount]) => [picture(good, words.goods[good], 'good'), String(amount)]);

let moves; // positions at which a player was asked, each with what has happened since the one before

/** Lets chance answer, one prompt at a time, so that its events are told, too. */
function resolved(state, events) {
  while (state.asksChance) {
    const ticket = Math.random();
    let sum = 0;
    const { action } = rules.chanceOutcomes(state).find(each => (sum += each.numerator / each.denominator) > ticket);
    const told = rules.transition(state, action);
    events.push(...told.events);
    state = told.state;
  }
  return { state, events };
}

function begin() {
  moves = [resolved(rules.newGame({ players: Number(at('players').value) }), [])];
  show();
}

function answer(action) {
  const { state } = moves.at(-1);
  const reason = rules.check(state, action);
  if (reason) {
    at('refusal').textContent = `${reason.code}: ${words.clauses[reason.clause].text} [${reason.clause}]`;
    return;
  }
  const told = rules.transition(state, action);
  moves.push(resolved(told.state, [...told.events]));
  show();
}

const said = action => formatAction(action).replace(/[a-z]+(_[a-z]+)*/g, word => words.characters[word] ?? words.goods[word] ?? word);

function showAnswers({ prompt }, actions) {
  at('answers').replaceChildren(...actions.map(action => made('button', { onclick: () => answer(action) }, said(action))));
  at('question').textContent = `${words.seats[prompt.seat]}: ${words.clauses[prompt.clause].title}`;
  at('clause').textContent = `${words.clauses[prompt.clause].text} [${prompt.clause}]`;
}

function showEnd(state) {
  const { scores, winners, clause } = rules.outcome(state);
  const points = ({ seat, track, buildings, goods }) => `${words.seats[seat]} ${track + buildings + goods}`;
  at('answers').replaceChildren();
  at('question').textContent = `${winners.map(seat => words.seats[seat]).join(' and ')} : ${scores.map(points).join(', ')}`;
  at('clause').textContent = `${words.clauses[clause].text} [${clause}]`;
}

/** A site: a click builds or upgrades there, or says by which clause that is not possible. */
function site({ display, players }, place) {
  const { code, character, icon, points, cost } = display[place];
  const owner = players.findIndex(each => each.built.includes(place));
  const type = owner >= 0 && players[owner].built.includes(place) && owner === moves.at(-1).state.prompt?.seat ? 'Upgrade' : 'Build';
  const sign = players.some(each => each.upgraded.includes(place)) ? '▲' : '■';
  return made(
    'button',
    { onclick: () => answer({ type, site: place }) },
    made('b', {}, `${code} ${words.characters[character]}`),
    made('small', {}, `${points} points`, picture(icon, words.goods[icon], 'good')),
    made('small', {}, 'costs', ...goods(Object.fromEntries(Object.entries(cost).filter(([, amount]) => amount)))),
    made('small', {}, owner < 0 ? '' : `${sign} ${words.seats[owner]}`),
  );
}

function card(character) {
  const action = { type: 'PlayCard', character, use_effect: true };
  return made('button', { onclick: () => answer(action) }, picture(character, words.characters[character]));
}

function seat(state, place) {
  const { goods: owned, score, hand, built } = state.players[place];
  const isAsked = state.prompt?.seat === place;
  const cards = Object.entries(hand).flatMap(([character, count]) => Array(count).fill(character));
  return made(
    'div',
    { className: isAsked ? 'seat asked' : 'seat' },
    made('b', {}, words.seats[place]), ` ${score} points, ${built.length} houses`, ...goods(owned),
    made('div', { className: 'hand' }, ...(isAsked ? cards.map(card) : [`${cards.length} cards`])),
  );
}

const happened = ({ type, clause, seat, giver = seat, ...facts }) => made('li', {}, [
  words.seats[giver] ?? '', type, ...Object.values(facts).map(fact => words.characters[fact] ?? (typeof fact === 'object' ? JSON.stringify(fact) : fact)), `[${clause}]`,
].join(' '));

function show() {
  const { state } = moves.at(-1);
  at('refusal').textContent = '';
  at('undo').disabled = moves.length === 1;
  if (state.isOver) showEnd(state);
  else showAnswers(state, rules.legalActions(state));
  at('display').replaceChildren(...state.display.map((_, place) => site(state, place)));
  at('seats').replaceChildren(...state.players.map((_, place) => seat(state, place)));
  at('events').replaceChildren(...moves.flatMap(each => each.events).filter(each => each.type !== 'CardDrawn').reverse().slice(0, 60).map(happened));
}

at('begin').onclick = begin;
at('undo').onclick = () => { moves.pop(); show(); };
begin();
