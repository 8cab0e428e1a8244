/* Answers the runner of the conformance suite: valletta conformance --engine "node src/javascript/test/engine.js" */

import { createInterface } from 'node:readline';
import { DocumentError, IllegalActionError, load } from '../index.js';
import tables from '../dist/tables.js';

const NEEDS = ['setup', 'plays', 'refill', 'building', 'payments', 'valette', 'red', 'green', 'blue', 'yellow', 'final', 'scoring'];
const CLAUSES = new Map(tables.steps.map(([type, , clause]) => [type, clause]));

const engine = await load();
let rules, cards;

function withClause(step) {
  const clause = CLAUSES.get(step.type);
  return clause ? { ...step, clause: clause[step.character] ?? clause } : step;
}

/** The suite's positions are documents without what follows from the rest, and the cards shown. */
function read(position) {
  const buildings = new Map(cards.buildings.map(building => [building.code, building]));
  const value = {
    ...position, rules, cards,
    display: position.display.map(code => buildings.get(code)),
    players: position.players.map(player => ({ ...player, shown: {} })),
    agenda: position.agenda.map(withClause),
  };
  return engine.fromDocument({ valletta_rules: tables.format, kind: 'GameState', value });
}

function written(state) {
  const { rules, cards, ...position } = state.toJSON();
  return {
    ...position,
    display: position.display.map(building => building.code),
    players: position.players.map(({ shown, ...player }) => player),
    agenda: position.agenda.map(({ clause, ...step }) => step),
  };
}

const OPS = {
  first: ({ players }) => written(engine.newGame({ players, rules, cards })),
  legal: ({ position }) => engine.legalActions(read(position)),
  next({ position, action }) {
    const state = read(position);
    try {
      return written(engine.apply(state, action));
    } catch (error) {
      if (error instanceof IllegalActionError) return { refused: error.violation };
      throw error;
    }
  },
  chance: ({ position }) => engine.chanceOutcomes(read(position)),
  final({ position }) {
    const { scores, winners } = engine.outcome(read(position));
    return { scores, winners };
  },
};

function answer(request) {
  const { seq, op } = request;
  if (!OPS[op]) return { seq, unsupported: `there is no ${op} here` };
  try {
    const result = OPS[op](request);
    return result?.refused ? { seq, ...result } : { seq, result };
  } catch (error) {
    return { seq, error: `${error.name}: ${error.message}` };
  }
}

const say = reply => process.stdout.write(`${JSON.stringify(reply)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.command === 'stop') break;
  if (request.command === 'start') {
    const about = { name: 'valletta-rules', version: process.env.npm_package_version ?? '', language: 'JavaScript' };
    say({ protocol: 1, engine: about, needs: NEEDS, ops: Object.keys(OPS), players: [2, 3, 4] });
  } else if (request.command === 'setup') {
    ({ rules, cards } = request);
    say({ ok: true });
  } else say(answer(request));
}
