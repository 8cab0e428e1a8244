import { IllegalActionError, byRandom, explain, load } from 'valletta-rules';
import { Game } from 'valletta-rules/game';

const rules = await load();
const draw = byRandom(Math.random); // resolves chance
let game = Game.begin(rules, rules.newGame({ players: 2 }), { draw });
const log = [rules.toJson(game.entry)];

function play(action) {
  const [next, entry] = game.answer(action, { seat: game.asked, revision: game.revision, draw });
  log.push(rules.toJson(entry));
  game = next;
}

// Play.
play({ type: 'DraftGood', good: 'gold' });

// Show why an action is refused.
try {
  play({ type: 'DraftGood', good: 'gold' });
} catch (error) {
  if (!(error instanceof IllegalActionError)) throw error;
  const { clause, code, facts } = error.violation;
  console.log(clause, code, facts); // SET-22 good-not-offered { good: 'gold' }
  console.log((await explain(clause)).en.text);
}

// Send each seat its view, never the position.
const [mine, theirs] = [game.view(0), game.view(1)];
console.log(mine.legal_actions.length, theirs.legal_actions.length); // 3 0
console.log(mine.table.players[1].hand); // null

// Save and resume: the log contains the whole game.
const saved = log.join('\n');
game = Game.replay(rules, saved.split('\n'));

// Play random actions until the game is over.
while (game.asked !== null) {
  const actions = game.view(game.asked).legal_actions;
  play(actions[Math.floor(Math.random() * actions.length)]);
}
console.log(rules.outcome(game.position));
