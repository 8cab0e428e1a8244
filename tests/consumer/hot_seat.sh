#!/usr/bin/env bash
# Test the page in examples/javascript in Chromium.  A script clicks through whole games of 2, 3 and 4 players, and also
# clicks undo and illegal moves.  The page must name the clause of an illegal move, and must not throw an error.
# The script also starts the workers of the package's README, which must receive messages posted while they load.
# Needs the built package (src/javascript) and Chromium.  CHROMIUM=... and PYTHON=... choose the programs.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
cp -r --parents examples/javascript src/javascript/*.js src/javascript/dist "$work"
worker() { # N: print the Nth worker of the README, with paths that exist on the server
  awk -v wanted="$1" '/^```/ { inside = /worker/ && ++block == wanted; next } inside' src/javascript/README.md |
    sed "s:'valletta-rules':'./src/javascript/index.js':; s:fetch(address):fetch('src/javascript/dist/valletta.wasm'):"
}
worker 1 >"$work/worker1.js"
worker 3 >"$work/shared.js"
worker 2 >"$work/worker2.js"
cat >"$work/clicker.html" <<'HTML'
<iframe src="examples/javascript/index.html" width="1280" height="1000"></iframe>
<script type="module">
const frame = document.querySelector('iframe');
const at = id => frame.contentDocument.getElementById(id);
const wait = () => new Promise(resolve => setTimeout(resolve, 20));
const errors = [];
let clicks = 0, refused = 0;
const inAWorker = (Kind, script, state) => new Promise((resolve, reject) => {
  const worker = new Kind(script, { type: 'module' });
  const port = worker.port ?? worker;
  port.onmessage = event => resolve(event.data.length);
  worker.onerror = reject;
  port.postMessage(state);
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
        if (at('question').textContent !== before) errors.push('undo did not restore the question');
        at('display').firstChild.click();
        refused += /\[[A-Z]{3}-\d+\]/.test(at('refusal').textContent);
      }
      at('answers').children[Math.floor(Math.random() * at('answers').children.length)].click();
    }
    if (!/: .* \d+ points/.test(at('question').textContent)) errors.push(at('question').textContent);
  }
  const { load } = await import('./src/javascript/index.js'); // not at the top: the load event of the frame could be missed
  const rules = await load();
  const state = rules.resolveChance(rules.newGame({ players: 2 }), Math.random);
  const workers = [[Worker, 'worker1.js'], [Worker, 'worker2.js'], [SharedWorker, 'shared.js'], [SharedWorker, 'shared.js']];
  for (const [Kind, script] of workers) if (await inAWorker(Kind, script, state).catch(String) !== 4) errors.push(`${script} did not return four actions`);
  await fetch('result?' + encodeURIComponent(`${errors.join('; ') || 'no error'}, ${clicks} clicks, ${refused ? 'refusals' : 'no refusal'}`));
};
</script>
HTML
"${PYTHON:-python3}" -u -m http.server --directory "$work" 0 --bind 127.0.0.1 >"$work/port" 2>"$work/requests" &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
until port=$(grep -soP 'port \K\d+' "$work/port"); do sleep 0.1; done
"${CHROMIUM:-chromium}" --headless --no-sandbox --disable-gpu --disable-background-networking --user-data-dir="$work/profile" \
  "http://127.0.0.1:$port/clicker.html" >"$work/browser" 2>&1 &
browser=$!
trap 'kill $browser $server; wait $browser || true; rm -rf "$work"' EXIT
for _ in {1..600}; do # five minutes at most; a request for /result? contains the result
  result=$(grep -oP '"GET /result\?\K\S+' "$work/requests") && break
  sleep 0.5
done
[ -n "$result" ] || { cat "$work/requests" "$work/browser"; exit 1; }
result=$("${PYTHON:-python3}" -c 'import sys, urllib.parse; print(urllib.parse.unquote(sys.argv[1]))' "$result")
echo "$result"
[[ $result =~ ^"no error, "[0-9]+" clicks, refusals"$ ]]
