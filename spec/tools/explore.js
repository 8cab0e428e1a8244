#!/usr/bin/env node
'use strict';
const HELP = `
usage: node tools/explore.js INSTANCE|all [options]

Explores the states of an instance in quint/instances.qnt that are reachable within its limits, breadth first.  Checks
every invariant in every state and every transition invariant on every transition.  Collects the witnesses that are
reached, and compares the result with the committed summary explored.json.  With "all", the instances together must
reach every required witness, and every theorem must hold.

  --ask EXPRESSION  find the nearest state s in which a Quint expression holds, and print the actions that lead to it
  --summary FILE    write the summary to FILE instead of comparing it with explored.json (requires "all")

Exit code 0: no problem; 1: a violation, a missing witness, or a difference from explored.json; 2: an error.
With --ask: 0 if there is such a state, 1 if there is none.`;
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const { parseArgs } = require('util');
const { open, tool, UserError, snake, isForChance, legalActions, outcomeOf, int } = require('./qspec');
const { Map: IMap } = require('immutable');

const SUMMARY = path.resolve(__dirname, '../explored.json');
const INVARIANTS = ['characters', 'bags', 'houses', 'hands', 'plays', 'progress', 'over', 'turn_with_cards', 'prices', 'offers',
  'payments', 'triggers', 'street', 'display'].map(n => `inv_${n}`);
const TRANSITION_INVARIANTS = ['goods', 'display', 'monotone', 'phases', 'no_reshuffle',
  'lazy_reshuffle', 'final_phase', 'measure', 'valette'].map(n => `trans_${n}`);

const witnessName = w => (w.label === 'Event' ? w.value.toStr() : `${w.label}(${snake(w.value.label)})`);
const namesOf = value => [...value].map(witnessName);

/** Load the specification, its instances, and the names of the witnesses that the instances must reach. */
async function openSpec() {
  const spec = await open('instances.qnt', 'instances');
  const instances = new Map([...spec.value('q_instances').toMap()].map(([k, v]) => [k.toStr(), v]));
  return { ...spec, instances: new Map([...instances].sort()), required: namesOf(spec.value('q_all_witnesses')).sort() };
}

/** Return whether a first state is the start of a game.  Other first states are constructed positions. */
const isOpening = first => first.toOrderedMap().get('phase').label === 'Setup';

/**
 * Explore one instance.  Return {nodes, edges, weights, cases, transitions, depth, cut, finals, digests, witnesses, violations}, or
 * {answer} with the actions that lead to the first state in which `expression` holds.
 * `only` is the name of the only invariant to evaluate, or "witnesses"; with `check: false`, no invariants or witnesses are evaluated.
 * `keep` fills in `edges` and `weights`.  `followed(id, s)` is called for each state, after its transitions have been explored.
 */
function explore(spec, name, { followed = () => {}, keep = false, check = true, only, expression } = {}) {
  const instance = spec.instances.get(name);
  if (!instance) throw new UserError(`unknown instance ${name}; the instances are ${[...spec.instances.keys()].join(', ')}`);
  const fields = instance.toOrderedMap();
  const cases = [...fields.get('cases').toList()].map(c => {
    const m = c.toOrderedMap();
    const cfg = m.get('cfg'), first = m.get('first');
    spec.assign({ cfg });
    return { cfg: cfg.normalForm(), first: isOpening(first) ? spec.value('q_start').normalForm() : first };
  });
  const stateCheck = !check ? null : only === undefined ? 'q_state_ok' : only.startsWith('inv_') ? only : null;
  const transitionCheck = !check ? null : only === undefined ? 'q_transition_ok' : only.startsWith('trans_') ? only : null;
  const witnessing = check && (only === undefined || only === 'witnesses');
  const ids = cases.map(() => IMap().asMutable());
  const nodes = [], edges = [], weights = {}, digests = [];
  const { State, Action } = spec.types;
  const witnesses = new Set(), violations = [];
  let transitions = 0, cut = 0, finals = 0, depth = 0;
  const add = (k, state, parent, act, d) => {
    const s = state.normalForm();
    let id = ids[k].get(s);
    if (id === undefined) { id = nodes.length; ids[k].set(s, id); nodes.push({ k, s, parent, act, d }); }
    return id;
  };
  const trace = id => {
    const acts = [];
    for (let n = nodes[id]; n.parent >= 0; n = nodes[n.parent]) acts.unshift(Action.enc(n.act));
    return { case: nodes[id].k, acts };
  };
  spec.assign({ instance });
  cases.forEach(({ first }, k) => add(k, first, -1, null, 0));
  let level = crypto.createHash('sha256');
  const endLevel = () => { digests.push(level.digest('hex').slice(0, 8)); level = crypto.createHash('sha256'); };
  for (let id = 0; id < nodes.length && violations.length === 0; id++) {
    const { k, s, d } = nodes[id];
    if (d > depth) { depth = d; endLevel(); }
    spec.assign({ cfg: cases[k].cfg, first: cases[k].first, s, before: s });
    level.update(JSON.stringify(State.enc(s)));
    const outcome = outcomeOf(spec, s);
    if (outcome !== null) level.update(JSON.stringify(outcome));
    if (expression !== undefined && spec.value(expression).toBool()) return { answer: { ...trace(id), state: State.enc(s) } };
    if (stateCheck && !spec.value(stateCheck).toBool()) {
      violations.push({ invariants: INVARIANTS.filter(i => !spec.value(i).toBool()), ...trace(id) });
      break;
    }
    if (!spec.value('q_followed').toBool()) { cut++; edges.push(null); followed(id, s); continue; }
    const acts = legalActions(spec);
    if (acts.length === 0) finals++;
    const out = [], shares = isForChance(s) ? [] : null;
    for (const [text, act] of acts) {
      transitions++;
      spec.assign({ s, act });
      const next = spec.value('q_next').normalForm();
      level.update(text);
      if (shares) {
        shares.push(int.enc(spec.value('q_weight')));
        level.update(String(shares.at(-1)));
      }
      spec.assign({ before: s, s: next });
      if (transitionCheck && !spec.value(transitionCheck).toBool()) {
        const { case: c, acts: before } = trace(id);
        violations.push({ invariants: TRANSITION_INVARIANTS.filter(i => !spec.value(i).toBool()), case: c, acts: [...before, JSON.parse(text)] });
        break;
      }
      if (witnessing) for (const w of namesOf(spec.value('q_witnesses'))) witnesses.add(w);
      out.push(text, add(k, next, id, act, d + 1));
    }
    edges.push(keep ? out : null);
    if (keep && shares) weights[id] = shares;
    followed(id, s);
  }
  endLevel();
  return { nodes, edges, weights, cases, transitions, depth, cut, finals, digests, witnesses, violations };
}

// ----------------------------------------------------------------------------------------- summaries

const summaryOf = result => ({ states: result.nodes.length, transitions: result.transitions, depth: result.depth, cut: result.cut,
  finished: result.finals, levels: result.digests.join(' '), witnesses: [...result.witnesses].sort() });

module.exports = { openSpec, explore, isOpening };

/** Print the shortest list of actions that leads to a state in which an expression holds.  Set exit code 1 if no instance has such a state. */
function answer(spec, names, expression) {
  for (const name of names) {
    const { answer: match } = explore(spec, name, { check: false, expression });
    if (!match) { console.log(`${name}: holds in no state`); continue; }
    console.log(`${name}: holds in case ${match.case} after ${match.acts.length} actions`);
    for (const act of match.acts) console.log(`    ${JSON.stringify(act)}`);
    console.log(JSON.stringify(match.state));
    return;
  }
  process.exitCode = 1;
}

// ----------------------------------------------------------------------------------------- the tool

if (require.main === module) tool(async () => {
  const options = { ask: { type: 'string' }, summary: { type: 'string' }, help: { type: 'boolean' } };
  const { values: { ask: expression, summary: write, help }, positionals } = parseArgs({ allowPositionals: true, options });
  if (help) { console.log(HELP.trim()); return; }
  if (positionals.length !== 1) throw new UserError('expected the name of one instance, or "all"; see --help');
  const spec = await openSpec(), [wanted] = positionals;
  if (write && wanted !== 'all') throw new UserError('--summary requires "all"');
  const names = wanted === 'all' ? [...spec.instances.keys()] : [wanted];
  if (expression !== undefined) return answer(spec, names, expression);
  const summary = fs.existsSync(SUMMARY) ? JSON.parse(fs.readFileSync(SUMMARY, 'utf8')).instances : {};
  const written = {}, theorems = [];
  const reached = new Set();
  let bad = false, states = 0, transitions = 0;
  const complain = text => { bad = true; console.log(text); };
  const began = Date.now();
  for (const name of names) {
    const t0 = Date.now();
    const result = explore(spec, name);
    for (const v of result.violations) {
      complain(`${name}: VIOLATED ${v.invariants.join(', ')} in case ${v.case} after ${v.acts.length} actions`);
      for (const a of v.acts) console.log(`    ${JSON.stringify(a)}`);
    }
    for (const w of result.witnesses) reached.add(w);
    states += result.nodes.length; transitions += result.transitions;
    console.log(`${name.padEnd(13)} ${String(result.nodes.length).padStart(6)} states ${String(result.transitions).padStart(6)} transitions ` +
      `depth ${String(result.depth).padStart(2)}, ${result.finals} finished, ${result.cut} not followed, ` +
      `${((Date.now() - t0) / 1000).toFixed(1)} s`);
    written[name] = summaryOf(result);
    if (!write && result.violations.length === 0) {
      if (!(name in summary)) complain(`${name}: not in explored.json`);
      else for (const key of Object.keys(written[name])) {
        if (JSON.stringify(written[name][key]) !== JSON.stringify(summary[name][key])) complain(`${name}: ${key} differ from explored.json`);
      }
    }
  }
  if (wanted === 'all') {
    for (const w of spec.required.filter(x => !reached.has(x))) complain(`witness not reached: ${w}`);
    for (const w of [...reached].filter(x => !spec.required.includes(x)).sort()) console.log(`(also reached: ${w})`);
    for (const [k, v] of spec.value('q_theorems').toMap()) {
      theorems.push(k.toStr());
      if (!v.toBool()) complain(`theorem does not hold: ${k.toStr()}`);
    }
    console.log(`${'all'.padEnd(13)} ${String(states).padStart(6)} states ${String(transitions).padStart(6)} transitions, ` +
      `${reached.size} witnesses, ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
  if (write && !bad) {
    fs.writeFileSync(write, JSON.stringify({ witnesses: [...reached].sort(), theorems: theorems.sort(), instances: written }));
  }
  process.exitCode = bad ? 1 : 0;
});
