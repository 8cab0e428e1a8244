/* Positions in one line of text, as the Python package writes and reads them. */

import { DocumentError, byCode, definition, isLonger } from './documents.js';
import tables from './dist/tables.js';

const { goods: GOODS, characters: CHARACTERS, letters: LETTERS, editions, variants, line: FORM } = tables;
const QUESTIONS = Object.keys(tables.answers).filter(question => !Object.values(variants).some(([field]) => field === question));

const unfit = (text, wanted) => {
  throw new DocumentError(`must be ${wanted}, not ${JSON.stringify(text.slice(0, 40))}`);
};

const join = words => words.join(',') || '-';
const split = text => (text === '-' ? [] : text.split(','));

/** White space by Python's definition. */
const SPACE = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const SPACES = new RegExp(`${SPACE}+`);
const AROUND = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');

const number = {
  write: String,
  read: text => (/^-?\d{1,15}$/.test(text) ? Number(text) : unfit(text, 'a number')),
};

const goods = {
  write: amounts => GOODS.map((good, place) => (amounts[good] ? `${amounts[good]}${LETTERS[place]}` : '')).join('') || '0',
  read(text) {
    const item = `(-?\\d{1,15})?([${LETTERS.join('')}])\\+*`;
    if (!new RegExp(`^(?:0|-|(?:${item})+)$`).test(text)) unfit(text, 'goods, as in 2g1w, or 0');
    const amounts = Object.fromEntries(GOODS.map(good => [good, 0]));
    for (const [, count, letter] of text.matchAll(new RegExp(item, 'g'))) amounts[GOODS[LETTERS.indexOf(letter)]] += Number(count ?? 1);
    return amounts;
  },
};

const bag = {
  write: cards => join(Object.entries(cards).map(([character, count]) => (count > 1 ? count : '') + character)),
  read(text) {
    const cards = {};
    for (const word of split(text)) {
      const [, count, named] = /^(\d*)(.*)$/s.exec(word);
      const name = named.toLowerCase();
      if (!CHARACTERS.includes(name) || name in cards) unfit(word, 'a character that is not there yet, as in 2builder');
      cards[name] = number.read(count || '1');
    }
    return Object.fromEntries(CHARACTERS.filter(name => name in cards).map(name => [name, cards[name]]));
  },
};

const word = { write: text => text, read: text => text.toLowerCase() };
const words = { write: join, read: text => split(text).map(word.read) };
const codes = { write: join, read: split };
const sites = { write: join, read: text => [...new Set(split(text).map(number.read))].sort((one, other) => one - other) };

const escaped = name => encodeURIComponent(name).replace(/[!'()*]/g, each => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);

function unescaped(text) {
  try {
    return text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
  } catch {
    return unfit(text, 'a name in UTF-8');
  }
}

const building = {
  write: ({ code, character, cost, icon, points, copies }) => [code, character, goods.write(cost), icon, points, copies].join('/'),
  read(text) {
    const [code, character, cost, icon, points, copies, ...rest] = text.split('/');
    if (copies === undefined || rest.length) unfit(text, 'written code/character/cost/icon/points/copies');
    return { code, character: word.read(character), cost: goods.read(cost), icon: word.read(icon), points: number.read(points), copies: number.read(copies) };
  },
};

const cards = {
  write: set => (typeof set === 'string' ? set : [escaped(set.name), goods.write(set.barrels), join(set.buildings.map(building.write))].join(':')),
  read(text) {
    const [name, barrels, buildings, ...rest] = text.split(':');
    if (barrels === undefined) return text;
    if (buildings === undefined || rest.length) unfit(text, 'written name:barrels:buildings');
    return { name: unescaped(name), buildings: split(buildings).map(building.read).sort(byCode), barrels: goods.read(barrels) };
  },
};

const ruleSet = {
  write(rules) {
    const same = edition => edition.name === rules.name && QUESTIONS.every(question => edition[question] === rules[question]);
    const edition = Object.keys(editions).find(name => same(editions[name]));
    const inFull = () => [escaped(rules.name), ...QUESTIONS.map(question => `${question}=${rules[question]}`)].join(':');
    const on = Object.entries(variants).filter(([, [field]]) => rules[field]).map(([name]) => name);
    return [edition ?? inFull(), ...on].join('+');
  },
  read(text) {
    const [answers, ...on] = text.split('+');
    const [named, ...given] = answers.split(':');
    const name = given.length ? named : named.toLowerCase();
    if (!given.length && !Object.hasOwn(editions, name)) unfit(name, `one of ${Object.keys(editions).join(', ')}`);
    const rules = given.length ? { ...Object.values(editions)[0], name: unescaped(name) } : { ...editions[name] };
    for (const part of given) {
      const [, question, answer] = /^([^=]*)=?(.*)$/s.exec(part.toLowerCase());
      if (!QUESTIONS.includes(question)) unfit(question, `one of ${QUESTIONS.join(', ')}`);
      rules[question] = answer;
    }
    for (const each of on.map(word.read)) rules[Object.hasOwn(variants, each) ? variants[each][0] : unfit(each, `one of ${Object.keys(variants).join(', ')}`)] = true;
    return rules;
  },
};

const STEPS = new Map(tables.steps.map(([type, fields, clause]) => [type.replace(/Prompt$/, '').toLowerCase(), { type, fields, clause }]));

const step = {
  write({ type, ...values }) {
    const { fields } = STEPS.get(type.replace(/Prompt$/, '').toLowerCase());
    return [type.replace(/Prompt$/, '').toLowerCase(), ...fields.map(([name]) => (typeof values[name] === 'object' ? goods.write(values[name]) : values[name]))].join('/');
  },
  read(text) {
    const [named, ...values] = text.split('/');
    const name = named.toLowerCase();
    const { type, fields, clause } = STEPS.get(name) ?? unfit(name, 'a step');
    if (values.length !== fields.length) unfit(text, `written ${[name, ...fields.map(([field]) => field)].join('/')}`);
    const result = { type };
    fields.forEach(([field, part], place) => {
      const form = { goods, character: word }[part] ?? number;
      result[field] = form.read(values[place]);
    });
    if (clause) result.clause = typeof clause === 'string' ? clause : clause[result.character];
    return result;
  },
};

const agenda = { write: steps => join(steps.map(step.write)), read: text => split(text).map(step.read) };

const TOP = { rules: ruleSet, cards, phase: word, active: number, valette: number, barrels: goods, supply: bag, display: codes, played: words, agenda };
const BY_TYPE = { CardBag: bag, Goods: goods, SiteSet: sites };

/** The fields of a seat: key, entry of the player, and format of the value's type. */
const SEAT = Object.entries(FORM.seat).map(([key, entry]) => {
  const { $ref, allOf } = definition('#/$defs/Player').properties[entry];
  return [key, entry, BY_TYPE[($ref ?? allOf[0].$ref).slice('#/$defs/'.length)] ?? number];
});

const fields = entries => entries.map(([key, text]) => `${key}=${text}`).join(' ');

/** Formats a position as one line of text, including hidden cards. */
export function writeLine(document) {
  const withCodes = { ...document, display: document.display.map(({ code }) => code) };
  const top = Object.entries(TOP).map(([key, form]) => [key, form.write(withCodes[key])]);
  const seats = document.players.map(player => fields(SEAT.map(([key, entry, form]) => [key, form.write(player[entry])])));
  return [`valletta/${FORM.format} ${fields(top)}`, ...seats].join(' | ');
}

function readFields(place, text, forms) {
  const given = new Map();
  const about = (key, act) => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      throw new DocumentError(`position line: ${place}${key}: ${error.message}`);
    }
  };
  for (const each of text.split(SPACES).filter(Boolean)) {
    const [, key, value] = /^([^=]*)=(.*)$/s.exec(each) ?? [null, each.slice(0, 40)];
    about(key, () => (value === undefined || given.has(key) || !forms.some(([known]) => known === key)) && unfit(each, 'one of its fields, once'));
    given.set(key, value);
  }
  return Object.fromEntries(forms.map(([key, entry, form]) => [entry, about(key, () => form.read(given.get(key) ?? unfit('', 'there')))]));
}

const HEAD = new RegExp(`^${SPACE}*valletta/(\\d{1,9})(?:${SPACE}+(.*))?$`, 's');

/** Returns the document of the position that a line describes. It does not check that the position is possible. */
export function readLine(line) {
  if (typeof line !== 'string') throw new DocumentError('position line: must be a text');
  if (isLonger(line, FORM.longest)) throw new DocumentError(`position line: has more than ${FORM.longest} characters`);
  const [head, ...seats] = line.replace(/^\ufeff/, '').replace(AROUND, '').replace(/^`+|`+$/g, '').split('|');
  const [, version, rest] = HEAD.exec(head) ?? [];
  if (Number(version) !== FORM.format) throw new DocumentError(`position line: must begin with valletta/${FORM.format}`);
  const top = readFields('', rest ?? '', Object.entries(TOP).map(([key, form]) => [key, key, form]));
  const { buildings } = typeof top.cards !== 'string' ? top.cards : Object.hasOwn(tables.builtIn, top.cards) ? tables.builtIn[top.cards] : unfit(top.cards, 'a card set');
  return {
    ...top,
    display: top.display.map(text => buildings.find(({ code }) => code === text) ?? building.read(text)),
    players: seats.map((seat, place) => readFields(`seat ${place}, `, seat, SEAT)),
  };
}
