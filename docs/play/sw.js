/**
 * Caches the files of this folder, so that the game works without a network.  The build defines CACHE and FILES.
 *
 * On a first visit, the page itself fills the cache, and shows the progress.  A later version fills its cache before it replaces this one.
 */
async function install() {
  const isFirst = (await caches.keys()).every(name => name === CACHE || !name.startsWith('valletta-'));
  if (!isFirst) await (await caches.open(CACHE)).addAll(FILES);
  await skipWaiting();
}

/** The routes that a browser with static routing serves from the cache without this worker.  It loads files that are not in the cache. */
const ROUTES = ['python/*', 'pages/static/*'].map(urlPattern => ({ condition: { urlPattern }, source: { cacheName: CACHE } }));

addEventListener('install', event => event.waitUntil(Promise.all([install(), event.addRoutes?.(ROUTES)])));

addEventListener('message', event => event.waitUntil(clients.claim()));

addEventListener('activate', event => {
  const old = names => names.filter(name => name.startsWith('valletta-') && name !== CACHE);
  event.waitUntil(caches.keys().then(names => Promise.all(old(names).map(name => caches.delete(name)))).then(() => clients.claim()));
});

addEventListener('fetch', event => {
  if (event.request.method !== 'GET') return;
  const cached = caches.open(CACHE).then(cache => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(cached.then(response => response ?? fetch(event.request)));
});
