/** Keeps the files of this folder, so that the game can be played without a network; the build writes VERSION and FILES. */
const CACHE = `valletta-${VERSION}`;

addEventListener('install', event => {
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', event => {
  const old = names => names.filter(name => name.startsWith('valletta-') && name !== CACHE);
  event.waitUntil(caches.keys().then(names => Promise.all(old(names).map(name => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return;
  const cached = caches.open(CACHE).then(cache => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(cached.then(found => found ?? fetch(event.request)));
});
