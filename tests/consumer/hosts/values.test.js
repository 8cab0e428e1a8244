import { loadSync } from 'valletta-rules';
import { play } from './play.js';

const { newGame, legalActions, view } = loadSync();

test('a page in jsdom plays a game', async () => {
  expect(document.body).toBeDefined();
  expect((await play()).winners.length).toBeGreaterThan(0);
});

test('jest tells positions and views apart', () => {
  const [one, other] = [2, 4].map(players => newGame({ players }));
  expect(one).toEqual(newGame({ players: 2 }));
  expect(one).toStrictEqual(JSON.parse(JSON.stringify(one)));
  expect(one).not.toEqual(other);
  expect(view(one, 0)).not.toEqual(view(one, 1));
  expect(legalActions(one)).toMatchObject(legalActions({ ...one }));
});
