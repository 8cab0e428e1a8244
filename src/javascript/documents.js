/* Validates documents from outside against the published schema. */

import tables from './dist/tables.js';

/** A document is malformed, has another version, or describes an impossible value. */
export class DocumentError extends Error {
  name = 'DocumentError';
}

const { schema } = tables;

const reference = name => ({ $ref: `#/$defs/${name}` });
const object = (properties, required = []) => ({ type: 'object', properties, required });

schema.Document = { oneOf: Object.values(tables.kinds).map(reference) };
schema.GameOptions = object({ players: reference('PlayerCount'), rules: reference('RuleSet'), cards: reference('Cards') }, ['players']);
schema.CallOptions = object({ names: { type: 'array', items: { type: 'string' } } });
schema.ReaderOptions = object({ ...schema.CallOptions.properties, reader: { oneOf: [reference('Seat'), { type: 'null' }] } });

const line = most => ({ type: 'string', pattern: `(?! )(?:[^\\p{C}\\p{Z}]| ){1,${most}}(?<! )` });

for (const named of [schema.RuleSet, schema.CardSet]) named.properties.name = line(tables.limits.name);
schema.GameRecord.properties.names.items = line(tables.limits.name);
schema.Note.properties.text = line(tables.limits.note);

export const definition = reference => schema[reference.slice('#/$defs/'.length)];

export function freeze(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

/** Validates a value against a definition of the schema, and returns a frozen deep copy. */
export function checked(name, value, path = '$') {
  return freeze(copied(schema[name], value, path));
}

/** Returns whether a text has more than `most` characters, counted in code points as Python does. */
export const isLonger = (text, most) => text.length > most && [...text].length > most;

/** Parses JSON text within the limits of the Python package. Throws for an object that repeats a key. */
export function parsed(text) {
  const { longest, deepest } = tables.limits;
  if (typeof text !== 'string') throw new DocumentError('$: a document is a text');
  if (isLonger(text, longest)) throw new DocumentError(`$: a document has ${longest} characters at most`);
  let document;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new DocumentError(`$: this is not JSON: ${error.message}`);
  }
  const open = [];
  let string = '';
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') {
      const start = at++;
      while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      string = text.slice(start, at + 1);
    } else if (mark === ':') {
      const key = string.includes('\\') ? JSON.stringify(JSON.parse(string)) : string;
      if (open.at(-1).has(key)) throw new DocumentError(`$: the key ${key.slice(0, 80)} is there twice in one object`);
      open.at(-1).add(key);
    } else if (mark === '{' || mark === '[') {
      if (open.push(new Set()) > deepest) throw new DocumentError(`$: a document is nested ${deepest} levels deep at most`);
    } else if (mark === '}' || mark === ']') open.pop();
  }
  return document;
}

function refuse(path, wanted, value) {
  const actual = Array.isArray(value) ? 'an array' : typeof value === 'object' && value ? 'an object' : typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw new DocumentError(`${path || 'options'}: must be ${wanted}, not ${actual.slice(0, 80)}`);
}

function refuseLack(path, key) {
  throw new DocumentError(`${path || 'options'}: lacks the key ${key}`);
}

function isPlain(value) {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function copied(rule, value, path) {
  if (rule.$ref) return copied(definition(rule.$ref), value, path);
  if (rule.allOf) return copied(rule.allOf[0], value, path);
  if (rule.oneOf) return copied(chosen(rule, value, path), value, path);
  if ('const' in rule) return value === rule.const ? value : refuse(path, JSON.stringify(rule.const), value);
  if (rule.enum) return rule.enum.includes(value) ? value : refuse(path, `one of ${rule.enum.join(', ')}`, value);
  return READERS[rule.type](rule, value, path);
}

/** Compares two buildings of a card set by letter, then by number. */
export const byCode = ({ code: one }, { code: other }) => (one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : (one.slice(1) || 1) - (other.slice(1) || 1));

/** Checks that the schema cannot express, by definition: each returns an error message, or false or undefined if the value is valid. */
const WHOLE = new Map([
  [schema.CardSet, ({ buildings }) => buildings.some((each, place) => place && byCode(buildings[place - 1], each) >= 0) && 'buildings: must be ascending'],
  ...tables.steps.filter(([, , clause]) => clause && typeof clause === 'object').map(([type, , clauses]) => (
    [schema[type], ({ character, clause }) => clause !== clauses[character] && `clause: must be ${clauses[character]}`])),
  [schema.Score, ({ track, buildings, goods, total }) => total !== track + buildings + goods && `total: must be ${track + buildings + goods}`],
  [schema.GameRecord, ({ players, actions, names, notes }) => (names.length && names.length !== players ? `names: must be ${players}`
    : new Set(names.map(name => name.normalize())).size < names.length ? 'names: must differ'
      : notes.some(({ after }, place) => after > actions.length || after < notes[place - 1]?.after) && 'notes: must be in the order of the moves')],
]);

/** Returns the alternative of a `oneOf` that matches the type, the kind or the JSON type of a value. */
function chosen(rule, value, path) {
  const alternatives = flat(rule);
  return alternatives.find(each => fits(each, value)) ?? refuseAll(alternatives, value, path);
}

const FORMS = { null: 'null', boolean: 'true or false', string: 'a text', integer: 'a whole number', array: 'an array', object: 'an object' };

/** Throws for a value that matches no alternative: its JSON type is wrong, or one of the entries up to its type or kind. */
function refuseAll(alternatives, value, path) {
  const objects = alternatives.filter(({ type }) => type === 'object');
  if (!objects.length || !isPlain(value)) refuse(path, [...new Set(alternatives.map(({ type }) => FORMS[type]))].join(' or '), value);
  for (const key of Object.keys(objects[0].properties)) {
    if (!Object.hasOwn(value, key)) refuseLack(path, key);
    const words = [...new Set(objects.map(({ properties }) => properties[key].const))];
    if (!words.includes(value[key])) refuse(`${path}.${key}`, words.length > 1 ? `one of ${words.join(', ')}` : words, value[key]);
  }
}

const flattened = new WeakMap();

function flat(rule) {
  if (rule.$ref) return flat(definition(rule.$ref));
  if (!rule.oneOf) return [rule];
  if (!flattened.has(rule)) flattened.set(rule, rule.oneOf.flatMap(flat));
  return flattened.get(rule);
}

function fits(rule, value) {
  if (rule.type === 'null') return value === null;
  if (rule.type !== 'object') return typeof value === (rule.type === 'integer' ? 'number' : rule.type);
  if (!isPlain(value)) return false;
  const { type, kind } = rule.properties;
  if (type) return Object.hasOwn(value, 'type') && value.type === type.const;
  return !kind || (Object.hasOwn(value, 'kind') && value.kind === kind.const);
}

const READERS = {
  null: (rule, value, path) => (value === null ? value : refuse(path, 'null', value)),
  boolean: (rule, value, path) => (typeof value === 'boolean' ? value : refuse(path, 'true or false', value)),
  string(rule, value, path) {
    if (typeof value !== 'string') refuse(path, 'a text', value);
    if (!value.isWellFormed?.() && /\p{Surrogate}/u.test(value)) refuse(path, 'a text without half characters', value);
    if (rule.pattern && !(rule.form ??= new RegExp(`^(?:${rule.pattern})$`, 'u')).test(value)) refuse(path, `of the form ${rule.pattern}`, value);
    return value;
  },
  integer(rule, value, path) {
    const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = rule;
    if (!Number.isSafeInteger(value) || value < minimum || value > maximum) {
      refuse(path, `a whole number from ${minimum} to ${maximum}`, value);
    }
    return value + 0; // never -0
  },
  array(rule, value, path) {
    if (!Array.isArray(value)) refuse(path, 'an array', value);
    const items = Array.from(value, (item, place) => copied(rule.items, item, `${path}[${place}]`));
    if (rule.uniqueItems && items.some((item, place) => place && items[place - 1] >= item)) refuse(path, 'ascending', value);
    return items;
  },
  object(rule, value, path) {
    if (!isPlain(value)) refuse(path, 'an object', value);
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(rule.properties, key)) throw new DocumentError(`${path || 'options'}: has an unknown key ${key.slice(0, 80)}`);
    }
    const copy = {};
    const inOrder = rule === schema.Facts ? value : rule.properties; // facts have no fixed order
    for (const key of Object.keys(inOrder)) {
      if (Object.hasOwn(value, key)) copy[key] = copied(rule.properties[key], value[key], path ? `${path}.${key}` : key);
      else if (rule.required.includes(key)) refuseLack(path, key);
    }
    const wrong = WHOLE.get(rule)?.(copy);
    if (wrong) throw new DocumentError(`${path}.${wrong}`);
    return copy;
  },
};

/** Returns the kind of document that describes a value. */
export function kindOf(value) {
  for (const [kind, name] of Object.entries(tables.kinds)) {
    const rules = flat(schema[name].properties.value);
    if (rules.some(rule => rule.type === 'object' && fits(rule, value) && rule.required.every(key => key in value)
      && Object.keys(value).every(key => key in rule.properties))) return kind;
  }
  throw new TypeError('this is no value of the game');
}

/** Returns whether a value has the same entries as a frozen value, recursively. */
export function isEqual(value, frozen) {
  if (typeof frozen !== 'object' || frozen === null || typeof value !== 'object' || value === null) return value === frozen;
  const keys = Object.keys(frozen);
  return value === frozen || (Object.keys(value).length === keys.length && keys.every(key => isEqual(value[key], frozen[key])));
}

/** Returns the kind of document for a copy of a position or a view. */
export function likeness(value) {
  const isLike = name => schema[name].required.every(key => Object.hasOwn(value, key));
  const kind = typeof value === 'object' && value !== null && ['GameState', 'PlayerView'].find(isLike);
  if (!kind) throw new TypeError('expected a position or a view');
  return kind;
}
