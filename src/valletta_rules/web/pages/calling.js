/** Signals to a player whose turn begins: the icon of the browser tab, and a sound or a notification if one is enabled on this device. */
/** @import { Draft } from './dom.js' */
import { h } from './dom.js';
import { workerAddress } from './patch.js';
import { stored, t } from './words.js';

/** The notes of the sound: the start of each note in seconds, and its pitch in hertz. */
const NOTES = [[0, 660], [0.18, 880]];

/** The duration of a note, in seconds. */
const LENGTH = 0.3;

const canNotify = isSecureContext && 'Notification' in globalThis;

/** Update the icon of the browser tab, which shows whether a player at this page must answer. @param {boolean} isAwaited */
export function showIcon(isAwaited) {
  const icon = new URL(isAwaited ? 'icon-turn.svg' : 'icon.svg', import.meta.url).href;
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'));
  if (link !== null && link.href !== icon) link.href = icon;
}

/**
 * Play the sound or show the notification that is enabled in the preferences.  A notification is shown only while the page is hidden; if it
 * fails, play the sound.
 *
 * @param {string} text the text of the notification
 */
export function call(text) {
  const way = stored('call');
  if (way === 'sound') ring();
  if (way === 'notice' && document.hidden) notify(text).catch(ring);
}

/** Show a notification, if possible through a service worker, because phones require one. @param {string} text */
async function notify(text) {
  const options = { body: text, tag: 'valletta', data: location.href };
  const worker = await startWorker();
  if (worker) return worker.showNotification('Valletta', options);
  new Notification('Valletta', options);
}

function ring() {
  const sound = new AudioContext();
  for (const [start = 0, pitch = 0] of NOTES) {
    const [note, loudness, from] = [sound.createOscillator(), sound.createGain(), sound.currentTime + start];
    note.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.15, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + LENGTH);
    note.connect(loudness).connect(sound.destination);
    note.start(from);
    note.stop(from + LENGTH);
    note.onended = () => pitch === NOTES.at(-1)?.[1] && sound.close();
  }
}

/** Register the service worker and return its registration, or undefined if the browser does not support service workers. */
async function startWorker() {
  return navigator.serviceWorker?.register(workerAddress());
}

/** Try a signal that the player selects: play the sound, or request permission to show notifications. @param {string} way */
export async function tryCall(way) {
  if (way === 'sound') ring();
  if (way === 'notice') await Promise.all([Notification.requestPermission(), startWorker()]);
}

/** Return the preferences for tables: the signal at the beginning of a turn, and whether changes are animated. @returns {Draft[]} */
export function tablePreferences() {
  const calls = [['', t.call_not], ['sound', t.call_sound], ...(canNotify ? [['notice', t.call_notice]] : [])];
  const isDenied = canNotify && stored('call') === 'notice' && Notification.permission === 'denied';
  const message = canNotify ? isDenied && t.call_denied : t.call_without;
  return [choice('call', t.call, calls), ...(message ? [h('p', { class: 'hint-text', role: 'status' }, message)] : []), choice('motion', t.motion, [['', t.theme_auto], ['off', t.motion_off]])];
}

/** @param {string} name @param {string} label @param {string[][]} values */
function choice(name, label, values) {
  return h('label', { 'data-key': name }, label, h('select', { 'data-do': name },
    values.map(([value, text]) => h('option', { value, selected: (stored(name) ?? '') === value }, text))));
}
