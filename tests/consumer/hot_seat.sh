#!/usr/bin/env bash
# The page in examples/javascript, in Chromium: games are clicked to their end, undone and begun anew,
# what is not allowed is refused by its clause, and no error is thrown; a worker loads the package, too.  Wants it built
# (src/javascript) and Chromium; both and Python can be chosen: CHROMIUM=… PYTHON=…
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
cp -r --parents examples/javascript src/javascript/*.js src/javascript/dist "$work"
cat >"$work/worker.js" <<'JS'
import { load } from './src/javascript/index.js';
const rules = await load(fetch('src/javascript/dist/valletta.wasm').then(each => each.arrayBuffer()));
postMessage(rules.legalActions(rules.resolveChance(rules.newGame({ players: 2 }), Math.random)).length);
JS
cat >"$work/clicker.html" <<'HTML'
<iframe src="examples/javascript/index.html" width="1280" height="1000"></iframe>
<script type="module">
const frame = document.querySelector('iframe');
const at = id => frame.contentDocument.getElementById(id);
const wait = () => new Promise(resolve => setTimeout(resolve, 20));
const errors = [];
let clicks = 0, refused = 0;
const inAWorker = new Promise((resolve, reject) => {
  const worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = event => resolve(event.data);
  worker.onerror = reject;
});
frame.onload = async () => {
  frame.contentWindow.onerror = frame.contentWindow.onunhandledrejection = event => errors.push(String(event.reason ?? event));
  while (!at('question').textContent) await wait();
  for (const players of ['2', '3', '4']) {
    at('players').value = players;
    at('begin').click();
    while (at('answers').children.length) {
      const answers = at('answers').children;
      if (clicks++ % 50 === 7) {
        const before = at('question').textContent;
        answers[0].click();
        at('undo').click();
        if (at('question').textContent !== before) errors.push('undone, and another question');
        at('display').firstChild.click();
        refused += /\[[A-Z]{3}-\d+\]/.test(at('refusal').textContent);
      }
      at('answers').children[Math.floor(Math.random() * at('answers').children.length)].click();
    }
    if (!/: .* \d+, /.test(at('question').textContent)) errors.push(at('question').textContent);
  }
  if (await inAWorker.catch(String) !== 4) errors.push('no game in a worker');
  document.title = `${errors.join('; ') || 'no error'}, ${clicks} clicks, ${refused ? 'refusals' : 'no refusal'}`;
};
</script>
HTML
"${PYTHON:-python3}" -u -m http.server --directory "$work" 0 --bind 127.0.0.1 >"$work/said" 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
until port=$(grep -oP 'port \K\d+' "$work/said"); do sleep 0.1; done
for _ in 1 2 3; do # virtual time can run out while a busy machine compiles
  "${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --timeout=120000 --virtual-time-budget=100000 --dump-dom \
    "http://127.0.0.1:$port/clicker.html" >"$work/page" 2>"$work/browser"
  grep -q "<title>no error" "$work/page" && break
done
grep -oP '<title>\K.*(?=</title>)' "$work/page" || { cat "$work/page" "$work/browser"; exit 1; }
grep -q '<title>no error, [0-9]* clicks, refusals' "$work/page"
