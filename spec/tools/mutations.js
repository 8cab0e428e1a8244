#!/usr/bin/env node
'use strict';
const HELP = `
usage: node tools/mutations.js [NAME ...]

Shows that the checks notice mistakes: puts each deliberate mistake (the \`bug\` of a configuration, disturbing the
rules at the places that name it) into a small instance and explores it until the check that should notice does.

A mistake is noticed by an invariant (inv_..., trans_...) that is violated, evaluated alone; by a witness that is no
longer reached; or, where only an amount or a choice is wrong, by the explored graph, whose levels then differ from the
committed explored.json.  There is a mistake for each invariant and for each character.  All of them together are
compared with the committed summary mutations.json.

  --list            name the mutations
  --summary FILE    write how they are noticed to FILE instead of comparing it with mutations.json (without NAMEs)
  --explored FILE   the summary of the explored graphs, if not explored.json

Exit code 0: every mutation is caught; 1: some are not, or how differs from the summary; 2: wrong usage.`;
const fs = require('fs'), path = require('path');
const { tool, UserError, Character } = require('./qspec');
const { openSpec, explore, readSummary, INVARIANTS, TRANSITION_INVARIANTS } = require('./explore');

const SUMMARY = path.resolve(__dirname, '../mutations.json');

// name: [instance, what notices it]
const MUTATIONS = {
  // one for each invariant
  'dismiss': ['dismissing', 'inv_characters'],
  'no character': ['construction', 'inv_characters'],
  'upgrade brings a character': ['construction', 'inv_characters'],
  'gift of nothing': ['others', 'inv_bags'],
  'house on site 0': ['neighbours', 'inv_houses'],
  'overdraw': ['rounds', 'inv_hands'],
  'fourth play': ['apprentice', 'inv_plays'],
  'unaffordable': ['construction', 'inv_progress'],
  'hands joined': ['ending', 'inv_over'],
  'played cards lost': ['rounds', 'inv_turn_with_cards'],
  'gold below zero': ['construction', 'inv_prices'],
  'reduction refunds': ['construction', 'inv_prices'],
  'ninth house': ['construction', 'inv_offers'],
  'occupied': ['neighbours', 'inv_offers'],
  'stands in for itself': ['construction', 'inv_payments'],
  'no barrel trigger': ['dismissing', 'inv_triggers'],
  'no score trigger': ['points', 'inv_triggers'],
  'no house trigger': ['neighbours', 'inv_triggers'],
  'barrel stays': ['dismissing', 'inv_street'],
  'short steps': ['dismissing', 'inv_street'],
  'quota': ['opening', 'inv_display'],
  'free of charge': ['construction', 'trans_goods'],
  'upgrade twice': ['construction', 'graph'],
  'building lost': ['construction', 'trans_display'],
  'round trip': ['dismissing', 'trans_monotone'],
  'main phase again': ['ending', 'trans_phases'],
  'final reshuffle': ['ending', 'trans_no_reshuffle'],
  'eager reshuffle': ['rounds', 'trans_lazy_reshuffle'],
  'discard piles kept': ['ending', 'trans_final_phase'],
  'hire keeps the card': ['dismissing', 'trans_measure'],
  'valette stays': ['dismissing', 'trans_valette'],
  // witnesses and the graph
  'tower': ['construction', 'graph'],
  'across the street': ['construction', 'graph'],
  'icons in costs': ['apprentice', 'graph'],
  'upgraded icons': ['apprentice', 'graph'],
  'upgrade costs gold': ['construction', 'graph'],
  'upgrade discount': ['construction', 'graph'],
  'no reduction for upgrades': ['construction', 'graph'],
  'construction bonus': ['construction', 'graph'],
  'hired to the discard pile': ['dismissing', 'graph'],
  'copies blue': ['apprentice', 'graph'],
  'skips nobody': ['ending', 'graph'],
  'draft': ['opening', 'graph'],
  'no draft': ['opening', 'witness draft'],
  'no stagger': ['opening', 'witness first turn of two plays'],
  'tie': ['ending', 'witness tie broken by houses'],
  'upgraded points': ['ending', 'graph'],
  'goods points': ['ending', 'graph'],
  // one for each character
  'shopkeeper': ['apprentice', 'graph'], 'lumberjack': ['apprentice', 'graph'], 'stone_sculptor': ['apprentice', 'graph'],
  'brick_worker': ['apprentice', 'graph'], 'maid': ['apprentice', 'trans_goods'], 'builder': ['construction', 'graph'],
  'apprentice': ['apprentice', 'witness apprentice copies through an apprentice'], 'valette': ['dismissing', 'inv_street'],
  'banker': ['apprentice', 'graph'], 'woodworker': ['apprentice', 'graph'], 'carver': ['apprentice', 'graph'],
  'mason': ['apprentice', 'graph'], 'monk': ['others', 'graph'], 'bricklayer': ['construction', 'graph'],
  'trader': ['trades', 'trans_goods'], 'seamstress': ['trades', 'trans_goods'], 'merchant': ['trades', 'graph'],
  'artisan': ['trades', 'graph'], 'chamberlain': ['trades', 'graph'], 'stonemason': ['construction', 'graph'],
  'innkeeper': ['others', 'graph'], 'nun': ['others', 'trans_goods'], 'carpenter': ['construction', 'graph'],
  'tax_collector': ['others', 'graph'], 'architect': ['points', 'trans_goods'], 'grand_bailiff': ['points', 'graph'],
  'grand_master': ['points', 'graph'], 'philip': ['points', 'graph'], 'charles': ['points', 'graph'],
  'pius': ['points', 'graph'], 'knight': ['points', 'graph'],
};

/** What the exploration of a mutated instance shows: a text if the mutation is noticed, else null. */
function noticed(spec, summary, mutation, instance, by) {
  if (by === 'graph') {
    const levels = summary[instance]?.levels?.split(' ');
    if (!levels) throw new UserError(`explored.json knows no instance ${instance}; run explore.js all --summary`);
    let differs = null;
    explore(spec, instance, { mutation, check: false, stop: (level, digest) => {
      if (digest !== levels[level]) { differs = level; return true; }
      return false;
    } });
    return differs === null ? null : `the graph differs at depth ${differs}`;
  }
  if (by.startsWith('witness ')) {
    const name = by.slice('witness '.length);
    if (!summary[instance]?.witnesses?.includes(name)) throw new UserError(`${instance} does not reach "${name}" without a mutation`);
    const found = explore(spec, instance, { mutation, only: 'witnesses' });
    return found.witnesses.has(name) ? null : `the witness "${name}" is lost after ${found.nodes.length} states`;
  }
  const found = explore(spec, instance, { mutation, only: by });
  return found.violations.length === 0 ? null : `${by} is violated after ${found.violations[0].acts.length} actions`;
}

tool(HELP, async args => {
  const all = Object.keys(MUTATIONS);
  if (args.includes('--list')) { console.log(all.join('\n')); return; }
  const option = name => { const i = args.indexOf(name); return i < 0 ? undefined : args.splice(i, 2)[1]; };
  const write = option('--summary'), explored = option('--explored');
  if (write && args.length > 0) throw new UserError('--summary goes with all mutations');
  for (const name of args) if (!(name in MUTATIONS)) throw new UserError(`no mutation "${name}"; --list names them`);
  const spec = await openSpec();
  const summary = readSummary(explored), written = {};
  const before = write ? {} : JSON.parse(fs.readFileSync(SUMMARY, 'utf8')).mutations;
  const began = Date.now();
  let missed = 0;
  const complain = text => { missed++; console.log(text); };
  for (const name of args.length > 0 ? args : all) {
    const [instance, by] = MUTATIONS[name];
    const t0 = Date.now();
    const how = noticed(spec, summary, name, instance, by);
    const seconds = `${((Date.now() - t0) / 1000).toFixed(1)} s`;
    if (how === null) complain(`NOT CAUGHT  ${name} (${instance}, ${by}), ${seconds}`);
    else console.log(`caught      ${name.padEnd(28)} ${instance}: ${how}, ${seconds}`);
    written[name] = { instance, by, how };
    if (!write && JSON.stringify(written[name]) !== JSON.stringify(before[name])) complain(`${name}: differs from mutations.json`);
  }
  if (args.length === 0) {
    const used = new Set(Object.values(MUTATIONS).map(([, by]) => by));
    for (const i of [...INVARIANTS, ...TRANSITION_INVARIANTS]) if (!used.has(i)) complain(`no mutation is aimed at ${i}`);
    for (const c of Character.names) if (!(c in MUTATIONS)) complain(`no mutation is aimed at ${c}`);
    for (const name of Object.keys(before)) if (!(name in MUTATIONS) && !write) complain(`${name}: only in mutations.json`);
    console.log(`${all.length} mutations, ${missed} complaints, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
  if (write && missed === 0) fs.writeFileSync(write, JSON.stringify({ mutations: written }));
  process.exitCode = missed > 0 ? 1 : 0;
});
