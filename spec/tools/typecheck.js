#!/usr/bin/env node
'use strict';
const HELP = `
usage: node tools/typecheck.js

Type-checks every module of the specification with "quint typecheck".  Exit code 0: all are clean.`;
const fs = require('fs'), path = require('path');
const { spawnSync } = require('child_process');
const { tool } = require('./qspec');

tool(HELP, async () => {
  const dir = path.resolve(__dirname, '../quint');
  const quint = require.resolve('@informalsystems/quint/dist/src/cli.js');
  const files = fs.readdirSync(dir).filter(f => f.endsWith('.qnt')).sort();
  let bad = 0;
  for (const file of files) {
    const run = spawnSync(process.execPath, [quint, 'typecheck', file], { cwd: dir, encoding: 'utf8' });
    if (run.status !== 0) { bad++; console.log(`${file}: NOT CLEAN\n${run.stdout}${run.stderr}`); }
  }
  console.log(`${files.length} modules, ${bad} with mistakes`);
  process.exitCode = bad > 0 ? 1 : 0;
});
