// Ranks what words lead to as src/valletta_rules/specification/finder.py does, which says why, by the weights in the index; a test compares the two.
"use strict";

const ID = /^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$/;

/** An index as it is written, with what is looked up made ready. */
function opened({ entries, known, idle, places, phrases, said, shares, ranking, bent, ending, spelled }) {
  const index = {
    entries, shares, ranking, spelled,
    known: new Map(known.flatMap(([words, meanings]) => words.split("|").map(word => [word, meanings]))),
    idle: new Set(idle),
    places: new Map(Object.entries(places)),
    phrases: phrases.flatMap((lengths, number) => lengths.map(length => [number, length])),
    said: new Map(Object.entries(said).map(([name, steps]) => [name, summed(steps)])),
    bent: bent.map(([pattern, replacement]) => [new RegExp(pattern, "g"), replacement]),
    ending: new RegExp(ending),
  };
  return { ...index, lengths: entries.map(entry => wordsOf(entry.title, index).length) };
}

/** Numbers of which each is told by how far it is from the one before it. */
function summed(steps) {
  let last = 0;
  return steps.map(step => last += step);
}

/** The words of a text: small letters without accents, and ids such as blu-1. */
function wordsOf(text, { spelled }) {
  const letters = [...text.toLowerCase().normalize("NFC")].map(letter => spelled[letter] ?? letter).join("");
  return letters.normalize("NFD").replace(/[\u0300-\u036f'’]/g, "").match(/[\p{L}\p{N}]+(?:-[0-9]+)?/gu) ?? [];
}

/** A word without what is bent in it. */
function stem(word, { bent, ending }) {
  if (word.length < 4 || /[0-9]/.test(word)) return word;
  let last = bent.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), word);
  for (;;) {
    const shorter = last.replace(ending, "");
    if (shorter === last) return last;
    last = shorter;
  }
}

/** Under which words some are known, as they are or by their stems. */
const keyOf = (words, index) => [words.join(" "), words.map(word => stem(word, index)).join(" ")].find(key => index.known.has(key));

/** Words by what is to be read together. */
function read(words, index) {
  const found = [];
  for (let start = 0, count; start < words.length; start += count) {
    count = Math.max(1, Math.min(index.ranking.longest, words.length - start));
    while (count > 1 && keyOf(words.slice(start, start + count), index) === undefined) count -= 1;
    found.push(words.slice(start, start + count));
  }
  return found;
}

/** The pairs of neighbouring letters in a word, and its ends. */
const pairsOf = word => new Set([...` ${word}`].map((letter, at) => letter + (word[at] ?? " ")));

/** Known words that begin like a word and look like it, the likest first. */
function alike(word, index, least) {
  const pairs = pairsOf(word), found = [];
  for (const key of index.known.keys()) {
    if (key[0] !== word[0] || key.includes(" ")) continue;
    const others = pairsOf(key), common = [...pairs].filter(pair => others.has(pair)).length;
    const like = 2 * common / (pairs.size + others.size);
    if (like >= least) found.push([like, key]);
  }
  return found.sort(([one, a], [other, b]) => other - one || (a < b ? -1 : 1)).map(([, key]) => key);
}

/** Words that may be meant by words that lead nowhere: two at most for each. */
function meantPerhaps(words, index) {
  const found = wordsOf(words, index).flatMap(word => {
    const byStem = new Map();
    for (const key of alike(word, index, index.ranking.offered)) if (!byStem.has(stem(key, index))) byStem.set(stem(key, index), key);
    return [...byStem.values()].slice(0, 2);
  });
  return [...new Set(found)];
}

/** Meanings, each with the most that it counts. */
function most(meanings) {
  const found = new Map();
  for (const [name, strength] of meanings) found.set(name, Math.max(found.get(name) ?? 0, strength));
  return [...found];
}

/** What any of some words mean, which are only guessed. */
function guess(words, { known, ranking: { guessed, whole } }) {
  const meanings = words.flatMap(word => known.get(word) ?? [[word, whole]]);
  return most(meanings.map(([name, strength]) => [name, Math.floor(strength * guessed / whole)]));
}

/** What words mean; one that is not known stands for its stem, and for its parts. */
function plain(words, index) {
  const { known, ranking: { part, whole, least_part: least } } = index, key = keyOf(words, index), [word] = words;
  if (key !== undefined) return known.get(key);
  const own = [[stem(word, index), whole]];
  for (let cut = word.length - least; cut >= least; cut -= 1) {
    const parts = [word.slice(0, cut), word.slice(cut)].map(each => known.get(keyOf([each], index)));
    if (parts.every(Boolean)) return [...new Map([...own, ...most(parts.flat().map(([name, strength]) => [name, Math.floor(strength * part / whole)]))])];
  }
  return own;
}

/** What words mean; of one that is nowhere, its beginning, or one like it. */
function meaningOf(words, index, isOpen) {
  const { known, places, ranking } = index, meanings = plain(words, index), [word] = words;
  if (meanings.some(([name]) => places.has(name))) return meanings;
  const begun = isOpen && word.length > 2 ? [...known.keys(), ...places.keys()].filter(each => each.startsWith(word)) : [];
  return guess(begun.length > 0 ? begun : word.length >= ranking.slips ? alike(word, index, ranking.slip) : [], index);
}

/** What each of some words means, or several together; nothing for one that is nowhere. */
function meant(words, index) {
  const all = read(wordsOf(words.replace(ID, "$1-$2"), index), index), found = [];
  const some = all.filter(each => each.length > 1 || !index.idle.has(each[0])), telling = some.length > 0 ? some : all;
  for (const each of telling) {
    const isAlone = found.length === 0, areMet = found.every(meanings => meanings.length > 0);
    found.push(meaningOf(each, index, each === telling.at(-1) && areMet && (isAlone || each[0].length > index.ranking.short)));
  }
  return found;
}

/** What each entry scores by the words that are met in it, and how many of them it has, rare ones counting more. */
function byWords(asked, { entries, places, ranking }) {
  const scores = entries.map(() => 0), covered = entries.map(() => 0), unnamed = entries.map(() => 1);
  for (const meanings of asked) {
    const best = new Map();
    for (const [meaning, strength] of meanings) {
      const met = places.get(meaning) ?? [];
      for (let at = 0; at < met.length; at += 2) best.set(met[at], Math.max(best.get(met[at]) ?? 0, met[at + 1] * strength));
    }
    const rarity = 32 - Math.clz32(Math.floor(entries.length / Math.max(best.size, 1)));
    for (const [number, score] of best) {
      scores[number] += score;
      covered[number] += rarity;
    }
    if (best.size > 0 && meanings.some(([, strength]) => strength === ranking.name)) {
      for (let at = 0; at < entries.length; at += 1) if (!best.has(at)) unnamed[at] *= ranking.unnamed;
    }
  }
  return { scores: scores.map((score, at) => score * unnamed[at]), covered };
}

/** What each entry scores by its likest phrase: which has the most words in common. */
function byPhrases(asked, { entries, phrases, said, shares, ranking }) {
  const wanted = asked.filter(meanings => meanings.length > 0), common = new Map(), likest = entries.map(() => 0);
  for (const meanings of wanted) {
    const met = new Set(meanings.flatMap(([name]) => said.get(name) ?? []));
    for (const phrase of met) common.set(phrase, (common.get(phrase) ?? 0) + 1);
  }
  for (const [phrase, count] of common) {
    const [number, length] = phrases[phrase];
    likest[number] = Math.max(likest[number], count / Math.sqrt(length * wanted.length));
  }
  return likest.map((like, at) => ranking.phrase * like * (shares[at] ?? 0));
}

/** The numbers of the entries that the words lead to, the likeliest first; of pages those that have most of the words, and besides only rules that do. */
function find(words, index) {
  const asked = meant(words, index), { scores: met, covered } = byWords(asked, index), best = Math.max(...met, 1);
  const phrases = byPhrases(asked, index), scores = met.map((score, at) => score / best + phrases[at]);
  const lost = index.ranking.lost * asked.filter(meanings => !meanings.some(([name]) => index.places.has(name))).length;
  const enough = Math.max(...scores) / 2, most = Math.max(...covered) * 3 / 4;
  const hasMost = number => covered[number] >= most && met[number] >= best / 2, isPage = number => index.entries[number].kind === "page";
  const found = [...scores.keys()].filter(number => met[number] > lost && scores[number] >= enough && (!isPage(number) || hasMost(number)));
  return (found.some(isPage) ? found.filter(hasMost) : found)
    .sort((one, other) => scores[other] - scores[one] || index.lengths[one] - index.lengths[other] || one - other);
}

globalThis.finder = { find, meantPerhaps, opened };
