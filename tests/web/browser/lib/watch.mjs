/** Forbidden behaviour of pages: complaints, violations of the policy, and requests to other hosts. */

/** Watch a tab from now on; its faults are added to `findings`.  `lost()` tells whether lost connections are expected. */
export function watch(tab, who, origin, findings, lost) {
  const say = what => findings.push(`${who}: ${what}`);
  const isOurs = url => /^(data|blob|about):/.test(url) || url.startsWith(origin) || url.startsWith(origin.replace('http', 'ws'));
  tab.on('request', request => { if (!isOurs(request.url())) say(`a request elsewhere: ${request.url()}`); });
  tab.on('websocket', socket => { if (!isOurs(socket.url())) say(`a connection elsewhere: ${socket.url()}`); });
  tab.on('pageerror', error => say(`an error: ${error.stack ?? error}`));
  tab.on('console', message => {
    const text = message.text();
    if (!['error', 'warning'].includes(message.type())) return;
    if (/net::ERR_|WebSocket connection to/.test(text) && lost()) return;
    say(`on the console: ${text}`);
  });
  tab.on('crash', () => say('it crashed'));
}
