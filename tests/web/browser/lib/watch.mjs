/** Detects errors of pages, violations of the content security policy, and requests to other hosts. */

/** Watch a tab and add its faults to `findings`; `lost()` returns whether errors of connections are expected. */
export function watch(tab, who, origin, findings, lost) {
  const report = fault => findings.push(`${who}: ${fault}`);
  const isOurs = url => /^(data|blob|about):/.test(url) || url.startsWith(origin) || url.startsWith(origin.replace('http', 'ws'));
  tab.on('request', request => { if (!isOurs(request.url())) report(`a request to another host: ${request.url()}`); });
  tab.on('websocket', socket => { if (!isOurs(socket.url())) report(`a WebSocket to another host: ${socket.url()}`); });
  tab.on('pageerror', error => report(`an uncaught error: ${error.stack ?? error}`));
  tab.on('console', message => {
    const text = message.text();
    if (!['error', 'warning'].includes(message.type())) return;
    if (/net::ERR_|WebSocket connection to/.test(text) && lost()) return;
    report(`a message on the console: ${text}`);
  });
  tab.on('crash', () => report('the page has crashed'));
}
