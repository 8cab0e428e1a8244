/* Runs the JavaScript package as an engine of the conformance suite: valletta conformance --engine "node src/javascript/test/engine.js" */

import { createInterface } from 'node:readline';
import { IllegalActionError, load, redact } from '../index.js';
import tables from '../dist/tables.js';

const NEEDS = ['setup', 'plays', 'refill', 'building', 'payments', 'valette', 'red', 'green', 'blue', 'yellow', 'final', 'scoring', 'views'];
const CLAUSES = new Map(tables.steps.map(([type, , clause]) => [type, clause]));

const engine = await load();
let rules, cards;

function withClause(step) {
  const clause = CLAUSES.get(step.type);
  return clause ? { ...step, clause: clause[step.character] ?? clause } : step;
}

/** Parses a position of the suite: a document without derivable fields. Only positions in vectors of kind `view` contain `shown`. */
function read(position) {
  const buildings = new Map(cards.buildings.map(building => [building.code, building]));
  const value = {
    ...position, rules, cards,
    display: position.display.map(code => buildings.get(code)),
    players: position.players.map(player => ({ shown: {}, ...player })),
    agenda: position.agenda.map(withClause),
  };
  return engine.fromDocument({ valletta_rules: tables.format, kind: 'GameState', value });
}

const withCodes = ({ rules, cards, ...table }) => ({ ...table, display: table.display.map(building => building.code) });
const withoutClause = ({ clause, ...rest }) => rest;

function written(state, { players: [{ shown: isShown }] } = { players: [{}] }) {
  const position = withCodes(state);
  const players = isShown ? position.players : position.players.map(({ shown, ...player }) => player);
  return { ...position, players, agenda: position.agenda.map(withoutClause) };
}

/** Returns an event as the suite writes it: with its clause only if events of the same type can have different clauses. */
function writtenEvent(event) {
  const { outcome } = event;
  const { clause } = tables.schema[event.type].properties;
  const document = clause && 'const' in clause ? withoutClause(event) : event;
  return outcome ? { ...document, outcome: writtenOutcome(outcome) } : document;
}

function writtenOutcome({ scores, winners }) {
  return { scores: scores.map(({ total, ...line }) => line), winners };
}

const OPS = {
  first: ({ players }) => written(engine.newGame({ players, rules, cards })),
  legal: ({ position }) => engine.legalActions(read(position)),
  next({ position, action }) {
    const state = read(position);
    try {
      return written(engine.apply(state, action), position);
    } catch (error) {
      if (error instanceof IllegalActionError) return { refused: error.violation };
      throw error;
    }
  },
  events({ position, action, seat }) {
    const { events } = engine.transition(read(position), action);
    return events.map(event => writtenEvent(seat === undefined ? event : redact(event, seat)));
  },
  view({ position, seat }) {
    const { value: document } = engine.toDocument(engine.view(read(position), seat));
    return { ...document, table: withCodes(document.table), agenda: document.agenda.map(withoutClause) };
  },
  chance: ({ position }) => engine.chanceOutcomes(read(position)),
  final({ position }) {
    return writtenOutcome(engine.outcome(read(position)));
  },
};

function answer(request) {
  const { seq, op } = request;
  if (!OPS[op]) return { seq, unsupported: `unknown op ${op}` };
  try {
    const result = OPS[op](request);
    return result?.refused ? { seq, ...result } : { seq, result };
  } catch (error) {
    return { seq, error: `${error.name}: ${error.message}` };
  }
}

const send = reply => process.stdout.write(`${JSON.stringify(reply)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.command === 'stop') break;
  if (request.command === 'start') {
    const about = { name: 'valletta-rules', version: process.env.npm_package_version ?? '', language: 'JavaScript' };
    send({ protocol: 1, engine: about, needs: NEEDS, ops: Object.keys(OPS), players: [2, 3, 4] });
  } else if (request.command === 'setup') {
    ({ rules, cards } = request);
    send({ ok: true });
  } else send(answer(request));
}
