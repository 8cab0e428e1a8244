#!/usr/bin/env node
'use strict';
/*
 * usage: node tools/mistakes.js < MISTAKES > VERDICTS
 *
 * Puts deliberate mistakes into the specification, one after the other, and says whether its own checks notice them.
 * "python -m spec.checks.mistakes --model" asks it about the tables in spec/mistakes.
 *
 * MISTAKES is a JSON list of {"name": NAME, "definition": "building.qnt::discount", "expression": TEXT, "replacement": TEXT,
 * "instance": INSTANCE, "by": CHECK, "also": [...]}.  The expression must occur in the definition exactly once, however lines
 * are broken; "also" has further changes, each with a definition, an expression and a replacement.
 * VERDICTS has a line {"name": NAME, "verdict": VERDICT, "how": TEXT} for each: "killed" if a check fails, "survived" if none does,
 * "invalid" if the mistake cannot be made or a definition has no value with it.
 *
 * "by" says what must notice it: an invariant (inv_..., trans_...), evaluated alone; "witness NAME", which must no longer be
 * reached; or, if there is no "by", the explored graph: in some position of the instance other actions are legal, chance has
 * other odds, or something else comes of an action or of the end.  With the instance "theorems" a theorem must no longer hold.
 */
const fs = require('fs');
const { tool, legalActions, outcomeOf, int } = require('./qspec');
const { openSpec, explore, isOpening } = require('./explore');

const outcomeIn = (spec, s) => JSON.stringify(outcomeOf(spec, s));

/** What an instance is without a mistake, and the positions in which each definition is evaluated. */
function survey(spec, instance) {
  const outcomes = [], positionsByDefinition = new Map(), { definitions } = spec;
  const note = id => {
    for (const name of definitions.takeEvaluated()) {
      if (!positionsByDefinition.has(name)) positionsByDefinition.set(name, []);
      positionsByDefinition.get(name).push(id);
    }
  };
  definitions.startRecording();
  const result = explore(spec, instance, { check: false, keep: true, followed: (id, s) => {
    outcomes[id] = outcomeIn(spec, s);
    note(id);
  } });
  return { ...result, outcomes, positionsByDefinition, evaluatedAlways: definitions.stopRecording() };
}

/** How the positions of an instance differ from what was surveyed, or null; only positions that evaluate the definition are compared. */
function difference(spec, { nodes, edges, weights, cases, outcomes, positionsByDefinition, evaluatedAlways }, definitions) {
  const where = definitions.some(name => evaluatedAlways.has(name)) ? nodes.keys() : [...new Set(definitions.flatMap(name => positionsByDefinition.get(name) ?? []))].sort((i, j) => i - j);
  for (const { cfg, first } of cases.filter(c => isOpening(c.first))) {
    spec.assign({ cfg });
    if (!spec.value('q_start').normalForm().equals(first)) return 'another first position';
  }
  for (const id of where) {
    const { k, s, d } = nodes[id], edge = edges[id], after = ` after ${d} actions`;
    spec.assign({ cfg: cases[k].cfg, first: cases[k].first, s, before: s });
    if (outcomeIn(spec, s) !== outcomes[id]) return `another outcome${after}`;
    if (edge === null) continue;
    const acts = legalActions(spec);
    if (acts.length !== edge.length / 2 || acts.some(([text], i) => text !== edge[2 * i])) return `other legal actions${after}`;
    for (const [i, [, act]] of acts.entries()) {
      spec.assign({ s, act });
      if (weights[id] && int.enc(spec.value('q_weight')) !== weights[id][i]) return `other odds${after}`;
      if (!spec.value('q_next').normalForm().equals(nodes[edge[2 * i + 1]].s)) return `another position${after} and one more`;
    }
  }
  return null;
}

/** How a mistake is noticed, or null. */
function detect(spec, surveyOf, { definition, also = [], instance, by }) {
  if (instance === 'theorems') {
    const failing = [...spec.value('q_theorems').toMap()].filter(([, holds]) => !holds.toBool()).map(([name]) => name.toStr());
    return failing.length === 0 ? null : `theorem "${failing[0]}" does not hold`;
  }
  if (by === undefined) {
    const change = difference(spec, surveyOf(instance), [definition, ...also.map(each => each.definition)]);
    return change && `${instance}: ${change}`;
  }
  if (by.startsWith('witness ')) {
    const result = explore(spec, instance, { only: 'witnesses' });
    return result.witnesses.has(by.slice('witness '.length)) ? null : `${instance}: ${by} is lost after ${result.nodes.length} states`;
  }
  const result = explore(spec, instance, { only: by });
  return result.violations.length === 0 ? null : `${instance}: ${by} is violated after ${result.violations[0].acts.length} actions`;
}

/** What becomes of a mistake. */
function verdict(spec, surveyOf, mistake) {
  if (mistake.instance !== 'theorems' && mistake.by === undefined) surveyOf(mistake.instance);
  const undo = [];
  try {
    for (const each of [mistake, ...mistake.also ?? []]) undo.push(spec.definitions.mistake(each));
    const how = detect(spec, surveyOf, mistake);
    return how === null ? { verdict: 'survived', how: `${mistake.instance}: nothing differs` } : { verdict: 'killed', how };
  } catch (e) {
    return { verdict: 'invalid', how: e.message };
  } finally {
    for (const each of undo) each();
  }
}

tool(async () => {
  const mistakes = JSON.parse(fs.readFileSync(0, 'utf8'));
  const spec = await openSpec(), surveys = new Map();
  const surveyOf = name => {
    if (!surveys.has(name)) surveys.set(name, survey(spec, name));
    return surveys.get(name);
  };
  for (const mistake of mistakes) {
    console.log(JSON.stringify({ name: mistake.name, ...verdict(spec, surveyOf, mistake) }));
  }
});
