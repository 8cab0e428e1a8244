/** Calling a player whose turn begins: by the icon of the tab, and by a sound or a notification if one was chosen on this device. */
/** @import { Draft } from './dom.js' */
import { h } from './dom.js';
import { workerAddress } from './patch.js';
import { kept, t } from './words.js';

/** The notes of the sound: when each begins, in seconds, and its pitch in hertz. */
const NOTES = [[0, 660], [0.18, 880]];

/** How long a note lasts, in seconds. */
const LENGTH = 0.3;

const canNotify = isSecureContext && 'Notification' in globalThis;

/** Show by the icon of the tab whether a player here is asked. @param {boolean} isAsked */
export function showIcon(isAsked) {
  const icon = new URL(isAsked ? 'icon-turn.svg' : 'icon.svg', import.meta.url).href;
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'));
  if (link !== null && link.href !== icon) link.href = icon;
}

/** Call the player, unless that is not wanted; where a notification cannot be shown, by the sound. @param {string} text what a notification says */
export function call(text) {
  const way = kept('call');
  if (way === 'sound') ring();
  if (way === 'notice' && document.hidden) notify(text).catch(ring);
}

/** Show a notification, by a service worker where there are any: a phone knows no other way. @param {string} text */
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

/** Start the service worker, where a browser has any; it can show something once it runs. */
async function startWorker() {
  return navigator.serviceWorker?.register(workerAddress());
}

/** Try how a player is to be called: a browser wants to be asked for notifications. @param {string} way */
export async function tryCall(way) {
  if (way === 'sound') ring();
  if (way === 'notice') await Promise.all([Notification.requestPermission(), startWorker()]);
}

/** The preferences that concern a table alone: how a player is called, and whether things move. @returns {Draft[]} */
export function tablePreferences() {
  const calls = [['', t.call_not], ['sound', t.call_sound], ...(canNotify ? [['notice', t.call_notice]] : [])];
  const isDenied = canNotify && kept('call') === 'notice' && Notification.permission === 'denied';
  const said = canNotify ? isDenied && t.call_denied : t.call_without;
  return [choice('call', t.call, calls), ...(said ? [h('p', { class: 'hint-text', role: 'status' }, said)] : []), choice('motion', t.motion, [['', t.theme_auto], ['off', t.motion_off]])];
}

/** @param {string} name @param {string} label @param {string[][]} values */
function choice(name, label, values) {
  return h('label', { 'data-key': name }, label, h('select', { 'data-do': name },
    values.map(([value, text]) => h('option', { value, selected: (kept(name) ?? '') === value }, text))));
}
