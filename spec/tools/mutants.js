#!/usr/bin/env node
'use strict';
/*
 * usage: node tools/mutants.js < MUTANTS > VERDICTS
 *
 * Makes mutants of the specification, one at a time, and reports whether its own checks detect them.
 * "python -m spec.checks.mutants --model" runs this program with the tables in spec/mutants.
 *
 * MUTANTS is a JSON list of {"name": NAME, "definition": "building.qnt::discount", "expression": TEXT, "replacement": TEXT,
 * "instance": INSTANCE, "by": CHECK, "also": [...]}.  The expression must occur exactly once in the definition; differences in white
 * space are ignored.  "also" lists further changes, each with a definition, an expression and a replacement.
 * VERDICTS has one line {"name": NAME, "verdict": VERDICT, "how": TEXT} for each mutant.  The verdict is "killed" if a check fails,
 * "survived" if no check fails, and "invalid" if the mutation cannot be applied or the evaluation of a definition fails.
 *
 * "by" names the check that must detect the mutant: an invariant (inv_..., trans_...), which is evaluated alone, or "witness NAME",
 * which must no longer be reached.  Without "by", the explored graph of the instance must change: the first state of a game, or, in
 * some state, the legal actions, the weights of chance, the state after an action, or the outcome.
 * With the instance "theorems", a theorem must fail.
 */
const fs = require('fs');
const { tool, legalActions, outcomeOf, int } = require('./qspec');
const { openSpec, explore, isOpening } = require('./explore');

const outcomeIn = (spec, s) => JSON.stringify(outcomeOf(spec, s));

/** Explore an instance of the unmutated specification.  Return its graph, the outcomes, and the states in which each definition is evaluated. */
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

/** Return the first difference between an instance and its survey, or null.  Only states that evaluate one of the changed definitions are compared. */
function difference(spec, { nodes, edges, weights, cases, outcomes, positionsByDefinition, evaluatedAlways }, definitions) {
  const where = definitions.some(name => evaluatedAlways.has(name)) ? nodes.keys() : [...new Set(definitions.flatMap(name => positionsByDefinition.get(name) ?? []))].sort((i, j) => i - j);
  for (const { cfg, first } of cases.filter(c => isOpening(c.first))) {
    spec.assign({ cfg });
    if (!spec.value('q_start').normalForm().equals(first)) return 'the first state differs';
  }
  for (const id of where) {
    const { k, s, d } = nodes[id], edge = edges[id], after = ` after ${d} actions`;
    spec.assign({ cfg: cases[k].cfg, first: cases[k].first, s, before: s });
    if (outcomeIn(spec, s) !== outcomes[id]) return `the outcome differs${after}`;
    if (edge === null) continue;
    const acts = legalActions(spec);
    if (acts.length !== edge.length / 2 || acts.some(([text], i) => text !== edge[2 * i])) return `the legal actions differ${after}`;
    for (const [i, [, act]] of acts.entries()) {
      spec.assign({ s, act });
      if (weights[id] && int.enc(spec.value('q_weight')) !== weights[id][i]) return `the weights of chance differ${after}`;
      if (!spec.value('q_next').normalForm().equals(nodes[edge[2 * i + 1]].s)) return `the state differs${after} and one more`;
    }
  }
  return null;
}

/** Return how the checks detect the current mutant, or null if they do not. */
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
    return result.witnesses.has(by.slice('witness '.length)) ? null : `${instance}: ${by} is not reached in ${result.nodes.length} states`;
  }
  const result = explore(spec, instance, { only: by });
  return result.violations.length === 0 ? null : `${instance}: ${by} is violated after ${result.violations[0].acts.length} actions`;
}

/** Make a mutant, run its check, undo the mutation, and return the verdict. */
function verdict(spec, surveyOf, mutant) {
  if (mutant.instance !== 'theorems' && mutant.by === undefined) surveyOf(mutant.instance);
  const undo = [];
  try {
    for (const each of [mutant, ...mutant.also ?? []]) undo.push(spec.definitions.mutate(each));
    const how = detect(spec, surveyOf, mutant);
    return how === null ? { verdict: 'survived', how: `${mutant.instance}: nothing differs` } : { verdict: 'killed', how };
  } catch (e) {
    return { verdict: 'invalid', how: e.message };
  } finally {
    for (const each of undo) each();
  }
}

tool(async () => {
  const mutants = JSON.parse(fs.readFileSync(0, 'utf8'));
  const spec = await openSpec(), surveys = new Map();
  const surveyOf = name => {
    if (!surveys.has(name)) surveys.set(name, survey(spec, name));
    return surveys.get(name);
  };
  for (const mutant of mutants) {
    console.log(JSON.stringify({ name: mutant.name, ...verdict(spec, surveyOf, mutant) }));
  }
});
