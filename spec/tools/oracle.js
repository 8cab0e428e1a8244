#!/usr/bin/env node
'use strict';
/*
 * usage: node tools/oracle.js [MUTATIONS] < REQUESTS > ANSWERS
 *
 * Evaluates the rules with the formal specification.  Requests and answers are JSON objects, one per line.
 * MUTATIONS is a JSON list of changes of the specification, {"definition": "building.qnt::discount", "expression": TEXT,
 * "replacement": TEXT}, which are applied before the first request.
 *
 * request  {"cfg": CONFIG, "state": STATE, "action": ACTION | null}
 *          "cfg" is optional after the first request; the default is that of the previous request.
 *          "state": null means the first state of a game.
 *          With "legal": false, the answer has neither "legal" nor "weights".
 * answer   {"legal": [ACTION, ...], "weights": [INT, ...] | null, "next": STATE | null, "outcome": OUTCOME | null}
 *          "legal": all legal actions, sorted.
 *          "weights": the weights of the legal actions if chance must answer; the probability of an action is its weight
 *          divided by the sum of the weights.
 *          "next": the state after "action".  The action may be illegal: the caller must compare it with "legal".
 *          "outcome": the final result if the game is over, else null.
 *          With "state": null, "next" is the first state, "legal" lists its actions, and "facts" contains, for each
 *          clause about the cards and tokens, whether "cfg" agrees with it: {CLAUSE: BOOL, ...}.
 *          The answer to an invalid request is {"error": TEXT}.
 *
 * The encoding is described at the top of tools/qspec.js.
 */
const readline = require('readline');
const { open, tool, readConfig, Facts, UserError, isForChance, legalActions, outcomeOf, int } = require('./qspec');

tool(async () => {
  const spec = await open('valletta.qnt', 'valletta');
  const { State, Action } = spec.types;
  for (const each of JSON.parse(process.argv[2] ?? '[]')) spec.definitions.mutate(each);
  let cfgText = null;
  const answer = request => {
    if ('cfg' in request) {
      const wanted = JSON.stringify(request.cfg);
      if (wanted !== cfgText) { spec.assign({ cfg: readConfig(spec.types, request.cfg, 'cfg') }); cfgText = wanted; }
    }
    if (cfgText === null) throw new UserError('the first request must have "cfg"');
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
