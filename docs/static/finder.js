// Ranks what words lead to, exactly as src/valletta_rules/specification/finder.py does, which says why; a test compares the two.
"use strict";

const WHOLE = 3, BEGINNING = 2, NEARLY = 1, SHORT = 3;
const ID = /^\s*([A-Za-z]{3})[ -]?([0-9]+)\s*$/;

/** The words of a text: small letters without accents, and ids such as blu-1. */
function wordsOf(text) {
  const plain = text.toLowerCase().normalize("NFD").replaceAll("ß", "ss").replace(/[\u0300-\u036f]/g, "");
  return plain.match(/[\p{L}\p{N}]+(?:-[0-9]+)?/gu) ?? [];
}

/** How like a word, as it is typed and without the e of umlauts, is to one that is met. */
function likeness(word, plain, beginnings, met, compounds) {
  if (met === word) return WHOLE;
  if (beginnings.some(each => met.startsWith(each))) return BEGINNING;
  const isLonger = met.length > 3 && word.length - met.length < 3 && word.startsWith(met);
  const isPart = compounds && word.length > 3 && (met.endsWith(word) || met.endsWith(plain));
  return isLonger || isPart ? NEARLY : 0;
}

/** What a word, which is open if it may be half typed, counts for each entry of the index that it leads to. */
function gradesOf(word, index, isOpen) {
  const grades = new Map();
  const plain = word.replace(/([aou])e/g, "$1");
  const isWhole = !isOpen || [index.english, index.german].some(places => Object.hasOwn(places, word));
  const beginnings = isWhole && word.length <= SHORT ? [`${word}-`] : [word, plain];
  for (const [places, compounds] of [[index.english, false], [index.german, true]]) {
    for (const [met, found] of Object.entries(places)) {
      const like = likeness(word, plain, beginnings, met, compounds);
      if (!like) continue;
      for (const [number, weight] of found) grades.set(number, Math.max(grades.get(number) ?? 0, weight * like));
    }
  }
  return grades;
}

/** The numbers of the entries that the words lead to, the likeliest first. */
function find(words, index) {
  const count = index.entries.length;
  const scores = Array(count).fill(0), covered = Array(count).fill(0);
  let lost = 0;
  const typed = [...new Set(wordsOf(words.replace(ID, "$1-$2")))], telling = typed.filter(word => !index.idle.includes(word));
  for (const word of telling.length > 0 ? telling : typed) {
    const grades = gradesOf(word, index, word === typed.at(-1) && !lost);
    const rarity = grades.size ? 32 - Math.clz32(Math.floor(count / grades.size)) : 0;
    if (!grades.size && word.length > SHORT) lost += 1;
    for (const [number, grade] of grades) {
      scores[number] += grade * rarity;
      covered[number] += rarity;
    }
  }
  const enough = Math.max(Math.floor(Math.max(...covered) * 3 / 4), 1 + 2 * lost);
  const length = index.entries.map(entry => wordsOf(entry.title).length);
  return [...covered.keys()].filter(number => covered[number] >= enough)
    .sort((one, other) => scores[other] - scores[one] || length[one] - length[other] || one - other);
}

globalThis.finder = { find };
