/* Compiled, not run: what a program in TypeScript can rely on. */
import { load, editions, type Action, type GameState, type State } from '../index.js';

const rules = await load();
let state: State = rules.newGame({ players: 2, rules: { ...editions['z-man']!, fewer_barrels: true } });
state = rules.resolveChance(state, Math.random);
const plain: GameState = state;
const seats: readonly number[] = plain.players.map((_, seat) => seat);
for (const seat of [...seats, null]) rules.determinize(rules.view(state, seat), Math.random);
const action: Action | undefined = rules.legalActions(state)[0];
if (action?.type === 'DraftGood') console.log(action.good, rules.check(state, action)?.facts.good, rules.toJson(action));
const prompt = state.prompt;
if (prompt && prompt.type !== 'DealPrompt') console.log(prompt.clause);
// @ts-expect-error a position cannot be changed
state.valette = 3;
// @ts-expect-error no such number of goods
rules.apply(state, { type: 'Pay', goods: { gold: 1 } });
