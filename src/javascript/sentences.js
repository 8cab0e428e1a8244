/* Sentences about games, made of the phrases that the Python package uses, and equal to its own. */

import { DocumentError, checked, likeness } from './documents.js';
import { handleOf } from './values.js';
import descriptions from './dist/descriptions.js';
import tables from './dist/tables.js';

const SEATS = ['seat', 'player', 'giver', 'taker'];

const joined = (words, parts) => [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(` ${words.and} `);

const counted = (count, forms) => `${count} ${forms[Number(count !== 1)]}`;

function describeGoods(words, goods) {
  const kinds = tables.goods.filter(good => goods[good]);
  return joined(words, kinds.map(good => counted(goods[good], words.amounts[good]))) || words.nothing;
}

const plain = (words, fact, form) => (form ? counted(fact, form.split('|')) : String(fact));

/** Formatters of facts by name. Other facts are numbers or texts, and need none. */
const WRITTEN = {
  character: (words, character, form = 'nominative') => words.cases[form][character],
  building: (words, { code, character }) => `${code} (${words.characters[character]})`,
  good: (words, good, form) => words[form === 'none' ? 'none' : 'goods'][good],
  icon: (words, good) => words.goods[good],
  goods: describeGoods,
  one: describeGoods,
  price: describeGoods,
  reduction: describeGoods,
};

/** Replaces the placeholders of a phrase, such as `{plays:card|cards}` or `{building.code}`. */
function fill(words, phrase, facts) {
  return phrase.replace(/\{(\w+)(?:\.(\w+))?(?::([^}]*))?\}/g, (_, name, field, form) => (
    field ? facts[name][field] : (WRITTEN[name] ?? plain)(words, facts[name], form)));
}

const capitalized = text => text.replace(/^./su, letter => letter.toUpperCase());

/** Returns the fields of an event or a prompt, with seats replaced by the names of the players. */
function factsOf(step, called) {
  return Object.fromEntries(Object.entries(step).map(([name, fact]) => [name, SEATS.includes(name) && fact !== null ? called(fact) : fact]));
}

/** Returns the document of a position or a view. A copy is validated. */
const documentOf = position => handleOf(position)?.document ?? checked(likeness(position), position);

const caller = (words, names = words.seats) => seat => String(names[seat] ?? words.seats[seat]);

function winnerOf(words, { clause, scores, winners }, called) {
  const points = Math.max(...scores.map(({ total }) => total));
  return fill(words, words.phrases.winner[clause], { points, winners: joined(words, winners.map(called)) });
}

function buildingOf({ cards, display }, { building: code, site }) {
  const building = code ? (tables.builtIn[cards] ?? cards).buildings.find(each => each.code === code) : display[site];
  if (!building) throw new DocumentError(`this position has no building ${code ?? `on site ${site}`}`);
  return building;
}

/** Returns a sentence that describes an event in a position or a view; equals `narrate` of the Python package. */
export function narrate(event, position, words, options = {}) {
  const document = documentOf(position);
  const board = document.table ?? document;
  const { names, reader = null } = checked('ReaderOptions', options, '');
  const { type, clause, ...fields } = checked('RedactedEvent', event);
  const called = caller(words, names);
  const { events, subjects, triggers } = words.phrases;
  const [prompt = null] = document.agenda;
  const facts = factsOf(fields, called);
  let kind = fields.seat === reader ? type : tables.hidden[type] ?? type;
  if (fields.good) facts.goods = { [fields.good]: 1 };
  if (fields.outcome) facts.winner = winnerOf(words, fields.outcome, called);
  if (fields.condition) facts.reason = fill(words, triggers[fields.condition], {});
  if (fields.building || 'site' in fields) facts.building = buildingOf(board, fields);
  if (type === 'GoodsReturned' && prompt?.type === 'PaymentPrompt') {
    facts.price = prompt.price;
    kind += tables.goods.every(good => fields.goods[good] === prompt.price[good]) ? '-paid' : '-replaced';
  }
  const subject = facts.giver ?? facts.seat ?? fill(words, subjects[kind], facts);
  return `${capitalized(subject)} ${fill(words, events[`${kind}-${clause}`] ?? events[kind], facts)}.`;
}

/** Returns the prompt of a position or a view as a question; equals `describe_prompt` of the Python package. */
export function describePrompt(position, words, options = {}) {
  const document = documentOf(position);
  const board = document.table ?? document;
  const { names } = checked('CallOptions', options, '');
  const [prompt = null] = document.agenda;
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
  const question = fill(words, prompts[kind], facts);
  return prompt.seat == null ? question : `${called(prompt.seat)}, ${question}`;
}

/** Returns the card that an Apprentice would copy if it were played now, or null. */
function copiedBy({ rules, played }, count = played.length) {
  const before = played[count - 1];
  if (before !== 'apprentice') return descriptions.copied.includes(before) ? before : null;
  return rules.apprentice_colour === 'red' ? copiedBy({ rules, played }, count - 1) : null;
}

function gistOf(words, board, character) {
  const { actions, gists } = words.phrases;
  const copied = character === 'apprentice' ? copiedBy(board) : character;
  if (copied === character) return gists[character];
  return copied ? fill(words, actions.copy, { character: copied, gist: gists[copied] }) : actions['nothing-to-copy'];
}

/** Returns the price of building on a site, or of upgrading it, after all reductions. */
function priceOf({ display, players }, { type, site }, { seat, reduction = {} }) {
  const { cost } = display[site];
  const neighbours = players[seat].built.filter(each => (descriptions.neighbours[site] >>> each) & 1);
  const less = { ...reduction, gold: type === 'Upgrade' ? cost.gold : neighbours.length + (reduction.gold ?? 0) };
  return Object.fromEntries(tables.goods.map(good => [good, Math.max(0, cost[good] - (less[good] ?? 0))]));
}

/** Returns the number of icons of a good on the buildings of a seat. An upgraded building shows two. */
function iconsOf({ display, players }, seat, good) {
  const { built, upgraded } = players[seat];
  return built.reduce((count, site) => count + (display[site].icon !== good ? 0 : upgraded.includes(site) ? 2 : 1), 0);
}

function construction(words, board, action, prompt) {
  const building = buildingOf(board, action);
  const hasBonus = Math.ceil(board.valette / descriptions.areaLength) - 1 === action.site % descriptions.rowLength;
  const gains = fill(words, words.phrases.actions[hasBonus ? 'gains-with-bonus' : 'gains'], building);
  return { building, icon: building.icon, gains, price: priceOf(board, action, { seat: board.active, ...prompt }) };
}

/** Returns the key of the phrase for an action, and the values of its placeholders. */
function phraseOf(words, board, action, prompt) {
  const { type, character, good } = action;
  switch (type) {
    case 'DealBuilding': return [type, { building: buildingOf(board, action), site: board.display.length }];
    case 'PlayCard': return [action.use_effect ? type : `${type}-in-vain`, { gist: gistOf(words, board, character) }];
    case 'Hire': return [type, { gist: words.phrases.gists[character] }];
    case 'Build': case 'Upgrade': return [type, construction(words, board, action, prompt)];
    case 'DraftGood': case 'GiveGood': case 'TakeGood': case 'ReturnGood': {
      const count = prompt?.type === 'ArtisanPrompt' ? iconsOf(board, prompt.seat, good) : descriptions.counts[`${type}-${prompt?.type}`] ?? 1;
      return [count ? type : `${type}-no-icon`, { goods: { [good]: count }, one: { [good]: 1 } }];
    }
    case 'RevealBarrel': return [type, { goods: { [good]: 1 } }];
    default: return [type, {}];
  }
}

function described(document, action, words) {
  const [prompt = null] = document.agenda;
  const [kind, facts] = phraseOf(words, document.table ?? document, action, prompt);
  const { actions } = words.phrases;
  return fill(words, actions[`${kind}-${prompt?.type}`] ?? actions[kind], { ...action, ...facts });
}

/** Returns a description of an action as an answer to the prompt of a position or a view; equals `describe_action` of the Python package. */
export function describeAction(position, action, words) {
  return described(documentOf(position), checked('Action', action), words);
}

const folded = text => text.toUpperCase().trim().replace(/\s+/g, ' ').replace(/\.$/, '');

/** Returns the legal action of a view with exactly this description, or null. */
export function parseDescription(view, text, words) {
  const document = documentOf(view);
  const actions = handleOf(view)?.actions ?? document.legal_actions;
  if (!actions) throw new TypeError('expected a view, not a position');
  if (typeof text !== 'string') throw new TypeError(`expected text, not ${String(text)}`);
  const wanted = folded(text);
  return actions.find(action => folded(described(document, action, words)) === wanted) ?? null;
}
