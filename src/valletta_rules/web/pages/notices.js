/** A service worker for notifications, because phones require one.  Pressing a notification shows the page of its table. */

/** @typedef {{ url: string, focus(): Promise<unknown> }} Client */
/** @typedef {{ matchAll(options: object): Promise<Client[]>, openWindow(url: string): Promise<unknown> }} Clients */
/** @typedef {Event & { notification: Notification, waitUntil(work: Promise<unknown>): void }} Pressed */

const { clients } = /** @type {{ clients: Clients }} */ (/** @type {unknown} */ (globalThis));

addEventListener('notificationclick', event => {
  const { notification, waitUntil } = /** @type {Pressed} */ (event);
  notification.close();
  waitUntil.call(event, clients.matchAll({ type: 'window', includeUncontrolled: true }).then(pages => {
    const page = pages.find(({ url }) => url === notification.data);
    return page?.focus() ?? clients.openWindow(notification.data);
  }));
});
