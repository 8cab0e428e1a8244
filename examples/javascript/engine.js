#!/usr/bin/env node
'use strict';
/*
 * A small engine for part of the rules: the red cards, building and paying.
 *
 * It was written against the README of the conformance suite (spec/conformance), and is asked about it there:
 *
 *     valletta conformance --engine "node examples/javascript/engine.js"
 *
 * It knows what a move generator in a client needs, and reports everything else as unsupported.  The ids in
 * brackets are those of the clauses.
 */
const readline = require('readline');

const GOODS = ['gold', 'wood', 'stone', 'brick'];
const GATHERERS = { shopkeeper: 'gold', lumberjack: 'wood', stone_sculptor: 'stone', brick_worker: 'brick' };
const HOUSES = 8;
const COLUMNS = 5;
const AREA = 5;

class Refused extends Error {}
class Unsupported extends Error {}

let rules, buildings;

// ------------------------------------------------------------------------------------------ goods

const goods = amount => Object.fromEntries(GOODS.map(good => [good, amount(good)]));
const plus = (one, other) => goods(good => one[good] + other[good]);
const minus = (one, other) => goods(good => one[good] - other[good]);
const total = bag => GOODS.reduce((sum, good) => sum + bag[good], 0);
const covers = (one, other) => GOODS.every(good => one[good] >= other[good]);
const one = wanted => goods(good => Number(good === wanted));

// -------------------------------------------------------------------------------------- positions

const question = position => position.agenda[0];
const player = (position, seat) => position.players[seat];
const withPlayer = (position, seat, changes) => ({
  ...position,
  players: position.players.map((each, n) => (n === seat ? { ...each, ...changes } : each)),
});
const asking = (position, ...steps) => ({ ...position, agenda: [...steps, ...position.agenda] });
const answered = position => ({ ...position, agenda: position.agenda.slice(1) });

function counted(cards, card, number) {
  const { [card]: count = 0, ...others } = cards;
  return count + number ? { ...others, [card]: count + number } : others;
}

/** Skips a question that has become pointless: without a card nobody is asked for one [TRN-6]. */
function settled(position) {
  const step = question(position);
  if (step.type === 'PlayPrompt' && !Object.keys(player(position, step.seat).hand).length) {
    return settled(answered(position));
  }
  if (['EndTurn', 'PassTurn', 'Turn', 'DrawPrompt'].includes(step.type)) throw new Unsupported('the end of a turn');
  return position;
}

// ------------------------------------------------------------------------------------ playing cards

/** The card whose effect a card has: an Apprentice copies the red or green card before it [RED-10 to RED-15]. */
function standsFor(played, card) {
  if (card !== 'apprentice') return card;
  if (!played.length) return null;
  const before = played[played.length - 1];
  if (before === 'apprentice') return rules.apprentice_colour === 'red' ? standsFor(played.slice(0, -1), before) : null;
  return before in GATHERERS || before === 'maid' || before === 'builder' ? before : other(before);
}

function other(card) {
  if (card === 'valette') return null;
  throw new Unsupported(card);
}

/** A card can be played without its effect if effects are optional and it asks nothing [TRN-8, TRN-10]. */
const inVain = (position, card) => rules.effects === 'optional' && standsFor(position.played, card) in GATHERERS;

function plays(position, { seat }) {
  return Object.keys(player(position, seat).hand).flatMap(card => {
    const kinds = inVain(position, card) ? [true, false] : [true];
    return kinds.map(use_effect => ({ type: 'PlayCard', character: card, use_effect }));
  });
}

function play(position, { seat, plays }, { character, use_effect }) {
  const copied = standsFor(position.played, character);
  let after = withPlayer(answered(position), seat, { hand: counted(player(position, seat).hand, character, -1) });
  after = { ...after, played: [...position.played, character] };
  if (plays > 1) after = asking(after, { type: 'PlayPrompt', seat, plays: plays - 1 });
  if (copied === null || !use_effect) return after;
  if (copied in GATHERERS) return take(after, seat, GATHERERS[copied]);
  if (copied === 'maid') return asking(after, { type: 'MaidPrompt', seat });
  if (copied !== 'builder') throw new Unsupported(copied);
  const reduction = goods(() => 0);
  return sites(after, { seat, reduction }).length > 1 ? asking(after, { type: 'SitePrompt', seat, reduction }) : after;
}

/** One good of a kind [RED-1 to RED-4], or of the player's choice [RED-6]. */
const take = (position, seat, good) => withPlayer(position, seat, { goods: plus(player(position, seat).goods, one(good)) });

function choices() {
  const all = GOODS.map(good => ({ type: 'TakeGood', good }));
  return rules.effects === 'optional' ? [...all, { type: 'Decline' }] : all;
}

// ------------------------------------------------------------------------------------------ prices

/** Two sites are adjacent in a row, or in a column on the same side of the street [BLD-7 to BLD-9]. */
function areAdjacent(site, next) {
  const rows = Math.abs(Math.floor(site / COLUMNS) - Math.floor(next / COLUMNS));
  const columns = Math.abs((site % COLUMNS) - (next % COLUMNS));
  return (rows === 0 && columns === 1) || (rows === 2 && columns === 0);
}

/** The price of a new building: one gold less for each own neighbour, less the card's reduction [BLD-5, BLD-6]. */
function price(position, seat, site, reduction) {
  const { cost } = buildings.get(position.display[site]);
  const discount = player(position, seat).built.filter(own => areAdjacent(own, site)).length;
  return goods(good => Math.max(0, cost[good] - (good === 'gold' ? discount : 0) - reduction[good]));
}

/** The price of an upgrade: the material, and no gold [BLD-17, BLD-18]. */
function upgradePrice(position, site, reduction) {
  const { cost } = buildings.get(position.display[site]);
  return goods(good => (good === 'gold' ? 0 : Math.max(0, cost[good] - reduction[good])));
}

/** Three other goods replace one that is missing [BLD-20]. */
function canPay(owned, due) {
  const missing = GOODS.reduce((sum, good) => sum + Math.max(0, due[good] - owned[good]), 0);
  const spare = GOODS.reduce((sum, good) => sum + Math.max(0, owned[good] - due[good]), 0);
  return spare >= 3 * missing;
}

/** Every payment: each good of the price as it is, or three others for it [BLD-19 to BLD-24]. */
function payments(owned, due) {
  let found = new Map([['', goods(() => 0)]]);
  for (const good of GOODS) {
    const others = GOODS.filter(each => each !== good).map(one);
    const items = [one(good)];
    for (const a of others) for (const b of others) for (const c of others) items.push(plus(a, plus(b, c)));
    for (let n = 0; n < due[good]; n += 1) {
      const longer = new Map();
      for (const paid of found.values()) {
        for (const item of items) {
          const sum = plus(paid, item);
          if (covers(owned, sum)) longer.set(JSON.stringify(sum), sum);
        }
      }
      found = longer;
    }
  }
  return [...found.values()];
}

// ---------------------------------------------------------------------------------------- building

/** Where the player can build or upgrade, and the choice of neither [BLD-2 to BLD-4, BLD-15, BLD-16, BLD-26]. */
function sites(position, { seat, reduction }) {
  const { built, upgraded, goods: owned } = player(position, seat);
  const taken = new Set(position.players.flatMap(each => each.built));
  const free = built.length < HOUSES ? position.display.map((_, site) => site).filter(site => !taken.has(site)) : [];
  return [
    ...free.filter(site => canPay(owned, price(position, seat, site, reduction))).map(site => ({ type: 'Build', site })),
    ...built
      .filter(site => !upgraded.includes(site) && canPay(owned, upgradePrice(position, site, reduction)))
      .map(site => ({ type: 'Upgrade', site })),
    { type: 'Decline' },
  ];
}

function choose(position, { seat, reduction }, { type, site }) {
  if (type === 'Decline') return answered(position);
  const due = type === 'Build' ? price(position, seat, site, reduction) : upgradePrice(position, site, reduction);
  return asking(answered(position), { type: 'PaymentPrompt', seat, site, price: due });
}

/** A house and a card for a new building; two points where Valette sees it [BLD-28 to BLD-35]. */
function pay(position, { seat, site }, { goods: paid }) {
  const { hand, built, upgraded, goods: owned, score } = player(position, seat);
  const isUpgrade = built.includes(site);
  const sees = position.valette > 0 && Math.floor((position.valette - 1) / AREA) === site % COLUMNS;
  return withPlayer(answered(position), seat, {
    goods: minus(owned, paid),
    score: score + (sees ? 2 : 0),
    built: isUpgrade ? built : [...built, site],
    upgraded: isUpgrade ? [...upgraded, site] : upgraded,
    hand: isUpgrade ? hand : counted(hand, buildings.get(position.display[site]).character, 1),
  });
}

// ---------------------------------------------------------------------------------------- protocol

const QUESTIONS = {
  PlayPrompt: { legal: plays, next: play },
  MaidPrompt: {
    legal: choices,
    next: (position, { seat }, { type, good }) => (type === 'Decline' ? answered(position) : take(answered(position), seat, good)),
  },
  SitePrompt: { legal: sites, next: choose },
  PaymentPrompt: {
    legal: (position, { seat, price: due }) =>
      payments(player(position, seat).goods, due).map(paid => ({ type: 'Pay', goods: paid })),
    next: pay,
  },
};

const OPS = {
  legal: ({ position }) => asked(position).legal(position, question(position)),
  next: ({ position, action }) => {
    const { legal, next } = asked(position);
    const same = JSON.stringify(sorted(action));
    if (!legal(position, question(position)).some(each => JSON.stringify(sorted(each)) === same)) throw new Refused();
    return settled(next(position, question(position), action));
  },
};

function asked(position) {
  const known = QUESTIONS[question(position)?.type];
  if (!known) throw new Unsupported(question(position)?.type ?? 'the end of the game');
  return known;
}

function sorted(value) {
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map(key => [key, sorted(value[key])]));
}

function reply(request) {
  switch (request.command) {
    case 'start':
      return {
        protocol: 1,
        engine: { name: 'small-valletta', version: '1', language: 'JavaScript' },
        needs: ['plays', 'red', 'building', 'payments'],
        ops: Object.keys(OPS),
        players: [2, 3, 4],
      };
    case 'setup':
      rules = request.rules;
      buildings = new Map(request.cards.buildings.map(building => [building.code, building]));
      return { ok: true };
    default:
      return { seq: request.seq, ...answer(request) };
  }
}

function answer(request) {
  if (!(request.op in OPS)) return { unsupported: `op ${request.op}` };
  try {
    return { result: OPS[request.op](request) };
  } catch (error) {
    if (error instanceof Refused) return { refused: {} };
    if (error instanceof Unsupported) return { unsupported: error.message };
    return { error: String(error) };
  }
}

readline.createInterface({ input: process.stdin }).on('line', line => {
  const request = JSON.parse(line);
  if (request.command === 'stop') process.exit(0);
  process.stdout.write(`${JSON.stringify(reply(request))}\n`);
});
