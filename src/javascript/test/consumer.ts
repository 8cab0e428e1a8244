/* Tests the type declarations: the TypeScript compiler checks this program, which is never run. */
import { describeAction, describePrompt, narrate, parseDescription, type Words } from 'valletta-rules/words';
import { Game, StaleError, mayUndoOwn } from 'valletta-rules/game';
import words from 'valletta-rules/words/de';
import { byRandom, explain, load, loadSync, cardSets, editions, formatAction, parseAction, redact, type Action, type GameState, type Packed, type RedactedEvent, type State, type View } from '../index.js';

const rules = await load();
let state: State = rules.newGame({ players: 2, rules: { ...editions.zMan, fewer_barrels: true }, cards: cardSets.reconstruction });
state = rules.resolveChance(state, Math.random);
const plain: GameState = state;
const seats: readonly number[] = plain.players.map((_, seat) => seat);
for (const seat of [...seats, null]) rules.determinize(rules.view(state, seat), Math.random);
const action: Action | undefined = rules.legalActions(state)[0];
if (action?.type === 'DraftGood') console.log(action.good, rules.check(state, action)?.facts.good, rules.toJson(action));
const transition = rules.transition(state, parseAction('play maid'));
for (const event of transition.events) if (event.type === 'CardPlayed') console.log(words.characters[event.character], words.clauses[event.clause]?.text);
const german: Words = words;
const story: readonly string[] = transition.events.map(event => narrate(event, state, german, { names: ['Anna', 'Ben'], reader: 0 }));
console.log(story, describePrompt(rules.view(state, null), german));
// @ts-expect-error unknown edition
rules.newGame({ players: 2, rules: editions.z_man });
// @ts-expect-error unknown card set
rules.newGame({ players: 2, cards: cardSets['reconstruction@3a55b6fa'] });
// @ts-expect-error unknown option
rules.newGame({ players: 2, rule: editions.zMan });
// @ts-expect-error editions are read-only
editions.zMan = editions.hansImGlueck;
// @ts-expect-error an action is not an event
if (action) narrate(action, state, german);
const redacted: readonly RedactedEvent[] = transition.events.map(event => redact(event, null));
console.log(redacted, (await explain('TRN-2')).de.title, rules.parsePositionLine(rules.positionLine(state)).valette);
const packed: Packed = rules.resolveChance(rules.applyNumber(transition.state, rules.legalNumbers(transition.state)[0]!), Math.random);
state = rules.resolveChance(loadSync().apply(packed.state, rules.legalActions(packed)[0]!), Math.random);
const moved = { ...state, active: 1 };
const drawn: Action = rules.sampleChance(rules.newGame({ players: 2 }), Math.random);
console.log(rules.transition(rules.newGame({ players: 2 }), drawn).events, byRandom(Math.random)(rules.chanceOutcomes(state)));
const first: Game = Game.begin(rules, state, { draw: byRandom(Math.random) });
const [second, entry] = first.answer({ type: 'Decline' }, { seat: first.asked, revision: first.revision, draw: byRandom(Math.random), id: 'a' });
const undone: number = mayUndoOwn(second.lastChoice, 0) ? second.undo({ seat: 0, revision: 1 })[1].to : entry.revision;
console.log(undone, Game.replay(rules, second.log.map(rules.toJson)).since(null, 0).view.prompt, rules.toJson(entry), StaleError);
// @ts-expect-error `revision` is required
second.redo({ seat: 0 });
// @ts-expect-error the constructor of Game is private
new Game();
const view: View = rules.view(moved, moved.players.length - 1);
const sent: GameState = JSON.parse(JSON.stringify(moved));
console.log(rules.legalActions(sent), rules.determinize({ ...view }, Math.random).prompt, rules.toJson(sent), describePrompt(sent, german));
// @ts-expect-error a copy has the entries of a position, but no computed properties
console.log(moved.prompt);
// @ts-expect-error a position is not a view
rules.determinize(state, Math.random);
// @ts-expect-error a packed position has no entries
console.log(packed.players);
const described: string | undefined = action && describeAction(view, action, german);
const read: Action | null = parseDescription(view, described ?? '', german);
console.log(read?.type);
// @ts-expect-error parseDescription requires a view, which has the legal actions of a seat
parseDescription(state, '', german);
const prompt = state.prompt;
if (action) console.log(formatAction(action));
if (prompt && prompt.type !== 'DealPrompt') console.log(prompt.clause);
// @ts-expect-error positions are read-only
state.valette = 3;
// @ts-expect-error a payment must give an amount for each good
rules.apply(state, { type: 'Pay', goods: { gold: 1 } });
