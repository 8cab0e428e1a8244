#!/usr/bin/env node
'use strict';
/*
 * usage: node tools/oracle.js [MISTAKES] < REQUESTS > ANSWERS
 *
 * Answers questions about the rules with the formal specification, one JSON object a line.
 * MISTAKES is a JSON list of changes of the specification, {"definition": "building.qnt::discount", "expression": TEXT,
 * "replacement": TEXT}, which are made first.
 *
 * request  {"cfg": CONFIG, "state": STATE, "action": ACTION | null}
 *          "cfg" may be left out after the first request; "state": null means the first state of a game.
 * answer   {"legal": [ACTION, ...], "weights": [INT, ...] | null, "next": STATE | null, "outcome": OUTCOME | null}
 *          "legal": all legal actions, sorted; "weights": where chance answers, how likely each of them is, as a share of
 *          the sum; "next": the state after "action" (which need not be among the
 *          legal ones: the caller compares); "outcome": the final result, if the state is one where the game is over.
 *          With "state": null the answer's "next" is the first state, "legal" its actions, and "facts" says by clause
 *          whether what the rulebook says of the cards and tokens is true of those in "cfg": {CLAUSE: BOOL, ...}.
 *          A request with "legal": false is answered without the legal actions.
 *          A request that cannot be read is answered {"error": TEXT}.
 *
 * The encoding is described at the top of tools/qspec.js.
 */
const readline = require('readline');
const { open, tool, readConfig, Facts, UserError, isForChance, legalActions, outcomeOf, int } = require('./qspec');

tool(async () => {
  const spec = await open('valletta.qnt', 'valletta');
  const { State, Action } = spec.types;
  for (const each of JSON.parse(process.argv[2] ?? '[]')) spec.definitions.mistake(each);
  let cfgText = null;
  const answer = request => {
    if ('cfg' in request) {
      const wanted = JSON.stringify(request.cfg);
      if (wanted !== cfgText) { spec.assign({ cfg: readConfig(spec.types, request.cfg, 'cfg') }); cfgText = wanted; }
    }
    if (cfgText === null) throw new UserError('the first request needs "cfg"');
    const first = request.state == null;
    const s = first ? spec.value('q_start') : State.dec(request.state, 'state');
    spec.assign({ s });
    const reply = {};
    if (request.legal !== false) {
      const legal = legalActions(spec).map(([, act]) => act);
      reply.legal = legal.map(Action.enc);
      reply.weights = isForChance(s) ? legal.map(act => { spec.assign({ act }); return int.enc(spec.value('q_weight')); }) : null;
    }
    reply.next = first ? State.enc(s) : null;
    if (first) reply.facts = Facts.enc(spec.value('q_facts'));
    if (!first && request.action != null) {
      spec.assign({ act: Action.dec(request.action, 'action') });
      reply.next = State.enc(spec.value('q_next'));
    }
    reply.outcome = outcomeOf(spec, s);
    return reply;
  };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    let reply;
    try { reply = answer(JSON.parse(line)); } catch (e) { reply = { error: e.message }; }
    process.stdout.write(JSON.stringify(reply) + '\n');
  }
});
