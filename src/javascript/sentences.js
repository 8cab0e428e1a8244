/* Sentences about games, made of the phrases that the Python package uses, and equal to its own. */

import { DocumentError, checked, likeness } from './documents.js';
import { heldOf } from './values.js';
import tables from './dist/tables.js';

const SEATS = ['seat', 'player', 'giver', 'taker'];

const joined = (words, parts) => [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(` ${words.and} `);

const counted = (count, forms) => `${count} ${forms[Number(count !== 1)]}`;

function describeGoods(words, goods) {
  const kinds = tables.goods.filter(good => goods[good]);
  return joined(words, kinds.map(good => counted(goods[good], words.amounts[good]))) || words.nothing;
}

const plain = (words, fact, form) => (form ? counted(fact, form.split('|')) : String(fact));

/** How a fact is written, by its name; all others are numbers, or texts that are there already. */
const WRITTEN = {
  character: (words, character, form = 'nominative') => words.cases[form][character],
  building: (words, { code, character }) => `${code} (${words.characters[character]})`,
  goods: describeGoods,
  price: describeGoods,
  reduction: describeGoods,
};

/** Fills in the placeholders of a phrase: `{plays:card|cards}`, `{building.code}`. */
function say(words, phrase, facts) {
  return phrase.replace(/\{(\w+)(?:\.(\w+))?(?::([^}]*))?\}/g, (_, name, field, form) => (
    field ? facts[name][field] : (WRITTEN[name] ?? plain)(words, facts[name], form)));
}

const capitalized = text => text.replace(/^./su, letter => letter.toUpperCase());

/** Returns the fields of an event or a prompt, with players by their names. */
function factsOf(step, called) {
  return Object.fromEntries(Object.entries(step).map(([name, fact]) => [name, SEATS.includes(name) && fact !== null ? called(fact) : fact]));
}

/** Returns the document of a position or a view, which is checked if it was not made here. */
const documentOf = position => heldOf(position)?.document ?? checked(likeness(position), position);

const caller = (words, names = words.seats) => seat => String(names[seat] ?? words.seats[seat]);

function winnerOf(words, { clause, scores, winners }, called) {
  const points = Math.max(...scores.map(({ total }) => total));
  return say(words, words.phrases.winner[clause], { points, winners: joined(words, winners.map(called)) });
}

function buildingOf({ cards, display }, { building: code, site }) {
  const found = code ? (tables.builtIn[cards] ?? cards).buildings.find(building => building.code === code) : display[site];
  if (!found) throw new DocumentError(`this position has no building ${code ?? `on site ${site}`}`);
  return found;
}

/** Says in a sentence what happened in a position, or in what a view shows of it, like `narrate` in Python. */
export function narrate(event, position, words, options = {}) {
  const seen = documentOf(position);
  const board = seen.table ?? seen;
  const { names, reader = null } = checked('ReaderOptions', options, '');
  const { type, clause, ...fields } = checked('RedactedEvent', event);
  const called = caller(words, names);
  const { events, subjects, triggers } = words.phrases;
  const [prompt = null] = seen.agenda;
  const facts = factsOf(fields, called);
  let kind = fields.seat === reader ? type : tables.hidden[type] ?? type;
  if (fields.good) facts.goods = { [fields.good]: 1 };
  if (fields.outcome) facts.winner = winnerOf(words, fields.outcome, called);
  if (fields.condition) facts.reason = say(words, triggers[fields.condition], {});
  if (fields.building || 'site' in fields) facts.building = buildingOf(board, fields);
  if (type === 'GoodsReturned' && prompt?.type === 'PaymentPrompt') {
    facts.price = prompt.price;
    kind += tables.goods.every(good => fields.goods[good] === prompt.price[good]) ? '-paid' : '-replaced';
  }
  const subject = facts.giver ?? facts.seat ?? say(words, subjects[kind], facts);
  return `${capitalized(subject)} ${say(words, events[`${kind}-${clause}`] ?? events[kind], facts)}.`;
}

/** Asks the question of a position, or of a view, like `describe_prompt` in Python. */
export function describePrompt(position, words, options = {}) {
  const seen = documentOf(position);
  const board = seen.table ?? seen;
  const { names } = checked('CallOptions', options, '');
  const [prompt = null] = seen.agenda;
  const { prompts } = words.phrases;
  if (!prompt) return prompts.over;
  const called = caller(words, names);
  const facts = factsOf(prompt, called);
  let kind = prompt.type;
  if (kind === 'DealPrompt') facts.site = board.display.length;
  if (kind === 'BarrelPrompt') facts.space = board.valette;
  if (kind === 'SitePrompt' && Object.values(prompt.reduction).some(Boolean)) kind += '-reduced';
  if (kind === 'PaymentPrompt') {
    facts.building = board.display[prompt.site];
    if (board.players[prompt.seat].built.includes(prompt.site)) kind += '-upgrade';
  }
  const question = say(words, prompts[kind], facts);
  return prompt.seat == null ? question : `${called(prompt.seat)}, ${question}`;
}
