// Searches the index of clauses, rulings and pages.  src/valletta_rules/specification/finder.py explains the ranking,
// which is the same; a test compares the two programs.
"use strict";

const ID = /^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$/;

/** Converts an exported index into maps, sets and regular expressions. */
function opened({ entries, known, idle, weights, costs, later, ranking, bent, ending, spelled }) {
  return {
    entries, costs, later, ranking, spelled,
    known: new Map(known.flatMap(([words, meanings]) => words.split("|").map(word => [word, meanings]))),
    idle: new Set(idle),
    weights: new Map(Object.entries(weights).map(([name, met]) => [name, apart(met, ranking)])),
    bent: bent.map(([pattern, replacement]) => [new RegExp(pattern, "g"), replacement]),
    ending: new RegExp(ending),
  };
}

/**
 * Decodes the weights of a term into pairs of the number of an entry and its weight.  Two letters encode a pair: the
 * difference from the previous number, and the weight.
 */
function apart(met, { letter }) {
  const codes = Array.from(met, each => each.codePointAt() - letter);
  let last = 0;
  return Array.from({ length: codes.length / 2 }, (_, at) => [last += codes[2 * at], codes[2 * at + 1]]);
}

/** Splits a text into words in lower case without accents, and ids such as blu-1. */
function wordsOf(text, { spelled }) {
  const letters = [...text.toLowerCase().normalize("NFC")].map(letter => spelled[letter] ?? letter).join("");
  return letters.normalize("NFD").replace(/[\u0300-\u036f'’]/g, "").match(/[\p{L}\p{N}]+(?:-[0-9]+)?/gu) ?? [];
}

/** Returns the stem of a word. */
function stem(word, { bent, ending }) {
  if (word.length < 4 || /[0-9]/.test(word)) return word;
  let last = bent.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), word);
  for (;;) {
    const shorter = last.replace(ending, "");
    if (shorter === last) return last;
    last = shorter;
  }
}

/** Returns the key of a phrase in `known`: the phrase itself, or its stems; undefined if it has no key. */
const keyOf = (words, index) => [words.join(" "), words.map(word => stem(word, index)).join(" ")].find(key => index.known.has(key));

/** Splits words into the longest known phrases and single words. */
function read(words, index) {
  const groups = [];
  for (let start = 0, count; start < words.length; start += count) {
    count = Math.max(1, Math.min(index.ranking.longest, words.length - start));
    while (count > 1 && keyOf(words.slice(start, start + count), index) === undefined) count -= 1;
    groups.push(words.slice(start, start + count));
  }
  return groups;
}

/** Returns the bigrams of a word with a blank added at each end. */
const pairsOf = word => new Set([...` ${word}`].map((letter, at) => letter + (word[at] ?? " ")));

/** Returns the known words with a similar spelling and the same first letter, most similar first. */
function alike(word, index, least) {
  const pairs = pairsOf(word), matches = [];
  for (const key of index.known.keys()) {
    if (key[0] !== word[0] || key.includes(" ")) continue;
    const others = pairsOf(key), common = [...pairs].filter(pair => others.has(pair)).length;
    const like = 2 * common / (pairs.size + others.size);
    if (like >= least) matches.push([like, key]);
  }
  return matches.sort(([one, a], [other, b]) => other - one || (a < b ? -1 : 1)).map(([, key]) => key);
}

/** Returns similar known words for the words of a query, at most two for each word. */
function suggestWords(words, index) {
  const suggestions = wordsOf(words, index).flatMap(word => {
    const byStem = new Map();
    for (const key of alike(word, index, index.ranking.offered)) if (!byStem.has(stem(key, index))) byStem.set(stem(key, index), key);
    return [...byStem.values()].slice(0, 2);
  });
  return [...new Set(suggestions)];
}

/** Returns the terms that occur in entries, each with the same weight. */
const counting = (names, strength, { weights }) => names.filter(name => weights.has(name)).map(name => [name, strength]);

/** Returns the terms of the given words, each with the weight for a guessed meaning. */
const guess = (words, index) => counting(words.flatMap(word => index.known.get(word) ?? [word]), index.ranking.guessed, index);

/** Returns the two known words in a compound; empty if the word is not a compound. */
function split(word, index) {
  for (let cut = word.length - index.ranking.least_part; cut >= index.ranking.least_part; cut -= 1) {
    const parts = [word.slice(0, cut), word.slice(cut)];
    if (parts.every(part => keyOf([part], index) !== undefined)) return parts;
  }
  return [];
}

/** Returns the terms of a phrase, including those of its words, their stems and their parts. */
function plain(words, index) {
  const { known, idle, ranking: { whole, part, stem: own } } = index, key = keyOf(words, index), isKnown = key !== undefined;
  const parts = words.length > 1 ? words : isKnown ? [] : split(words[0], index);
  return [
    ...isKnown ? counting(known.get(key), whole, index) : [],
    ...words.length === 1 ? counting([stem(words[0], index)], isKnown ? own : whole, index) : [],
    ...parts.filter(each => !idle.has(each)).flatMap(each => plain([each], index)).map(([name, strength]) => [name, Math.min(strength, part)]),
  ];
}

/**
 * Returns the terms of a phrase or, for an unknown word, of its completions or similar words.  Only an open word, which
 * the reader may still be typing, has completions.
 */
function meaningOf(words, index, isOpen) {
  const { known, weights, ranking } = index, meanings = plain(words, index), [word] = words;
  if (meanings.length > 0) return meanings;
  const completions = isOpen && word.length > 2 ? [...known.keys(), ...weights.keys()].filter(each => each.startsWith(word)) : [];
  return guess(completions.length > 0 ? completions : word.length >= ranking.slips ? alike(word, index, ranking.slip) : [], index);
}

/** Returns the terms of a query with their weights, and the number of words that have no term. */
function interpret(words, index) {
  const { idle, ranking } = index, all = read(wordsOf(words.replace(ID, "$1-$2"), index), index);
  const some = all.filter(each => each.length > 1 || !idle.has(each[0])), significant = some.length > 0 ? some : all;
  const strengths = new Map(counting(all.filter(each => !significant.includes(each)).map(([word]) => word), ranking.idle, index));
  let lost = 0;
  for (const each of significant) {
    const isAlone = significant.length === 1 || each[0].length > ranking.short;
    const meanings = meaningOf(each, index, each === significant.at(-1) && isAlone && lost === 0);
    if (meanings.length === 0) lost += 1;
    for (const [name, strength] of meanings) strengths.set(name, Math.max(strengths.get(name) ?? 0, strength));
  }
  return { strengths: [...strengths], lost };
}

/**
 * Returns the numbers of the entries that match a query, the best match first.  Pages whose match is less than three
 * quarters of the best match are left out.  If any page remains, so are such clauses and rulings.
 */
function find(words, index) {
  const { strengths, lost } = interpret(words, index), { entries, ranking } = index, met = entries.map(() => 0);
  const total = strengths.reduce((sum, [, strength]) => sum + strength, 0);
  const scores = entries.map((_, number) => -index.costs[number] * total - index.later[number]);
  for (const [name, strength] of strengths) {
    for (const [number, weight] of index.weights.get(name)) {
      scores[number] += strength * weight;
      if (strength > ranking.idle) met[number] += strength * weight;
    }
  }
  const most = Math.max(...met), enough = Math.max(most * ranking.share, lost * ranking.lost + 1);
  const isPage = number => entries[number].kind === "page", hasMost = number => met[number] >= most * 3 / 4;
  const matches = [...met.keys()].filter(number => met[number] >= enough && (!isPage(number) || hasMost(number)));
  return (matches.some(isPage) ? matches.filter(hasMost) : matches).sort((one, other) => scores[other] - scores[one]);
}

globalThis.finder = { find, opened, suggestWords };
