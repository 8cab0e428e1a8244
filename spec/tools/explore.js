#!/usr/bin/env node
'use strict';
const HELP = `
usage: node tools/explore.js INSTANCE|all [options]

Walks all reachable states of an instance in quint/instances.qnt, breadth first; checks every invariant in every
state and every transition invariant on every transition; collects the witnesses that are reached; compares with the
committed summary explored.json.  With "all" every required witness must be reached, and the theorems must hold.

  --ask EXPRESSION  look for the nearest state s in which a Quint expression holds, and print the actions that lead there
  --summary FILE    write what is found to FILE instead of comparing it with explored.json (with "all")

Exit code 0: all is well; 1: something is violated, missing or different; 2: wrong usage.  With --ask: 0 if there is
such a state, 1 if there is none.`;
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

/** Open the specification for exploring. */
async function openSpec() {
  const spec = await open('instances.qnt', 'instances');
  const instances = new Map([...spec.value('q_instances').toMap()].map(([k, v]) => [k.toStr(), v]));
  return { ...spec, instances: new Map([...instances].sort()), required: namesOf(spec.value('q_all_witnesses')).sort() };
}

/** Is a first state one that the rules lay, and not a position set up? */
const isOpening = first => first.toOrderedMap().get('phase').label === 'Setup';

/**
 * Explore one instance.  Answers {nodes, edges, weights, cases, transitions, depth, cut, finals, digests, witnesses, violations}.
 * `only` names the one invariant, or "witnesses", to be evaluated; `check: false` evaluates none.  `followed(id, s)` is called
 * when a node is done with.
 */
function explore(spec, name, { followed = () => {}, keep = false, check = true, only, expression } = {}) {
  const instance = spec.instances.get(name);
  if (!instance) throw new UserError(`no instance ${name}; there are ${[...spec.instances.keys()].join(', ')}`);
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

/** Print the shortest way to a state in which an expression holds; exit code 1 if no instance has one. */
function answer(spec, names, expression) {
  for (const name of names) {
    const { answer: match } = explore(spec, name, { check: false, expression });
    if (!match) { console.log(`${name}: in no state`); continue; }
    console.log(`${name}: yes, in case ${match.case} after ${match.acts.length} actions`);
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
  if (positionals.length !== 1) throw new UserError('name one instance, or "all"; --help explains');
  const spec = await openSpec(), [wanted] = positionals;
  if (write && wanted !== 'all') throw new UserError('--summary goes with "all"');
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
