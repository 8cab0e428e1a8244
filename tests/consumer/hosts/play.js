import { load, loadSync } from 'valletta-rules';

/** Plays a game in which each position comes as a copy; returns its outcome. */
export async function play() {
  const rules = await load();
  let state = rules.resolveChance(loadSync().newGame({ players: 2 }), Math.random);
  while (state.prompt) {
    const copy = JSON.parse(JSON.stringify(state));
    state = rules.resolveChance(rules.apply(copy, rules.legalActions(copy).at(-1)), Math.random);
  }
  return rules.outcome(state);
}
