// Ranks what words lead to, exactly as src/valletta_rules/specification/finder.py does, which says why; a test compares the two.
"use strict";

const NAME = 14, WHOLE = 10, GUESSED = 7, LONGEST = 4, SHORT = 3, LOST = 900;
const ID = /^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$/, ENDING = /(?<=....)(?:em|er|[ent])$|(?<=...)[es]$/;

/** The words of a text: small letters without accents, and ids such as blu-1. */
function wordsOf(text) {
  const plain = text.toLowerCase().normalize("NFD").replaceAll("ß", "ss").replace(/[\u0300-\u036f'’]/g, "");
  return plain.match(/[\p{L}\p{N}]+(?:-[0-9]+)?/gu) ?? [];
}

/** A word without what is bent in it. */
function stem(word) {
  if (word.length < 4 || /[0-9]/.test(word)) return word;
  let last = word.replace(/^ge(?=.{4})|(?<=...)(?:ing|ed)$/g, "").replace(/([^0-9])\1/g, "$1").replaceAll("y", "i");
  for (;;) {
    const shorter = last.replace(ENDING, "");
    if (shorter === last) return last;
    last = shorter;
  }
}

const keyOf = (words, { known }) => [words.join(" "), words.map(stem).join(" ")].find(key => known.has(key));

/** Words by what is to be read together. */
function read(words, index) {
  const found = [];
  for (let start = 0, count; start < words.length; start += count) {
    count = Math.max(1, Math.min(LONGEST, words.length - start));
    while (count > 1 && keyOf(words.slice(start, start + count), index) === undefined) count -= 1;
    found.push(words.slice(start, start + count));
  }
  return found;
}

/** Whether two words differ in a letter that is missing or another, or in two exchanged. */
function isSlip(one, other) {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  const a = one.slice(at), b = other.slice(at);
  if (!a || !b) return one.length !== other.length;
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || a.slice(1, 2) + a[0] + a.slice(2) === b;
}

const wordsIn = ({ known, places }) => [...known.keys(), ...places.keys()];

/** The words that differ in one letter from a longer one, or in two neighbours. */
function near(word, index) {
  if (word.length < 6) return [];
  return [...index.known.keys()].filter(key => Math.abs(key.length - word.length) < 2 && key[0] === word[0] && isSlip(word, key));
}

/** What any of some words mean, which are only guessed. */
function guess(words, { known }) {
  const found = new Map();
  for (const word of words) {
    for (const [name, strength] of known.get(word) ?? [[word, WHOLE]]) {
      found.set(name, Math.max(found.get(name) ?? 0, Math.floor(strength * GUESSED / WHOLE)));
    }
  }
  return [...found];
}

/** What words mean; of one that is not known, its parts, its beginning, or a near one. */
function meaningOf(words, index, isOpen) {
  const { known, places } = index, key = keyOf(words, index), [word] = words;
  if (key !== undefined) return known.get(key);
  for (const each of [word, stem(word)]) if (places.has(each)) return [[each, WHOLE]];
  for (let cut = word.length - 3; cut > 2; cut -= 1) {
    const parts = [word.slice(0, cut), word.slice(cut)].map(part => known.get(keyOf([part], index)));
    if (parts.every(Boolean)) return [...new Map(parts.flat())];
  }
  const begun = isOpen && word.length > 2 ? wordsIn(index).filter(each => each.startsWith(word)) : [];
  return guess(begun.length > 0 ? begun : near(word, index), index);
}

/** What each of some words means, or several together; nothing for one that is nowhere. */
function meant(words, index) {
  const all = read(wordsOf(words.replace(ID, "$1-$2")), index), found = [];
  const some = all.filter(each => each.length > 1 || !index.idle.has(each[0])), telling = some.length > 0 ? some : all;
  for (const each of telling) {
    const isAlone = found.length === 0, areMet = found.every(meanings => meanings.length > 0);
    found.push(meaningOf(each, index, each === telling.at(-1) && areMet && (isAlone || each[0].length > SHORT)));
  }
  return found;
}

/** The numbers of the entries that the words lead to, the likeliest first; of pages those that have most of the words, and besides only rules that do. */
function find(words, index) {
  const count = index.entries.length, scores = Array(count).fill(0), covered = Array(count).fill(0);
  const named = [];
  let lost = 0;
  for (const meanings of meant(words, index)) {
    const best = new Map();
    for (const [meaning, strength] of meanings) {
      const met = index.places.get(meaning) ?? [];
      for (let at = 0; at < met.length; at += 2) best.set(met[at], Math.max(best.get(met[at]) ?? 0, met[at + 1] * strength));
    }
    if (best.size === 0) lost += 1;
    if (best.size > 0 && meanings.some(([, strength]) => strength === NAME)) named.push(best);
    const rarity = 32 - Math.clz32(Math.floor(count / Math.max(best.size, 1)));
    for (const [number, score] of best) {
      scores[number] += score;
      covered[number] += rarity;
    }
  }
  for (const best of named) for (let at = 0; at < count; at += 1) if (!best.has(at)) scores[at] = Math.floor(scores[at] * 3 / 4);
  const enough = Math.max(Math.floor(Math.max(...scores) / 2), 1 + LOST * lost);
  const most = Math.max(...covered) * 3 / 4, hasMost = number => covered[number] >= most, isPage = number => index.entries[number].kind === "page";
  const found = [...scores.keys()].filter(number => scores[number] >= enough && (!isPage(number) || hasMost(number)));
  const length = index.entries.map(entry => wordsOf(entry.title).length);
  return (found.some(isPage) ? found.filter(hasMost) : found)
    .sort((one, other) => scores[other] - scores[one] || length[one] - length[other] || one - other);
}

/** An index as it is written, with what is looked up made ready. */
function opened(written) {
  const known = new Map(written.known.flatMap(([words, meanings]) => words.split("|").map(word => [word, meanings])));
  return { ...written, known, idle: new Set(written.idle), places: new Map(Object.entries(written.places)) };
}

globalThis.finder = { find, opened };
