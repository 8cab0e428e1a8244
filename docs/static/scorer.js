// The scores of the search of the site: rules rank first, then guides, then the reference, then code and the model.
"use strict";

const FOLDERS = { rulebook: 30, cards: 25, learn: 25, tutorial: 20, howto: 20, explanation: 15, reference: 0, code: -10, model: -15 };

var Scorer = {
  score: ([page, , , , score]) => score + (FOLDERS[page.split("/")[0]] ?? 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
