/* Executes requests of spec/checks/javascript.py. Each line is a JSON array: the name of a function in DO, and its arguments.
   The functions share the current position, `state`, and the last resulting position, `reached`. */

import { createInterface } from 'node:readline';
import { IllegalActionError, load, redact } from '../index.js';
import { Handle, gameOf, handleOf } from '../values.js';

const rules = await load();
const rowOf = state => Buffer.from(handleOf(state).row).toString('base64');
let game, state, reached;

const DO = {
  table([players, ruleSet, cards]) {
    game = gameOf(players, ruleSet, cards);
    return null;
  },
  first([players, ruleSet, cards]) {
    reached = rules.newGame({ players, rules: ruleSet, cards });
    return rowOf(reached);
  },
  row([text]) {
    state = new Handle(game, new Uint32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)).value;
    return null;
  },
  document([document]) {
    state = rules.fromDocument(document);
    return null;
  },
  legal: () => rules.legalActions(state),
  check: ([action]) => rules.check(state, action),
  apply([action]) {
    reached = rules.apply(state, action);
    return rowOf(reached);
  },
  json: () => rules.toJson(reached),
  events: ([action]) => rules.transition(state, action).events,
  redact: ([events, seat]) => events.map(event => redact(event, seat)),
  view: ([seat]) => rules.toDocument(rules.view(state, seat)).value,
  chance: () => rules.chanceOutcomes(state),
  outcome: () => rules.outcome(state),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...parts] = JSON.parse(line);
  let reply;
  try {
    reply = { reply: DO[name](parts) };
  } catch (error) {
    reply = { error: error instanceof IllegalActionError ? 'illegal' : String(error.stack) };
  }
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
