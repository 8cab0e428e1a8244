/** The sheets that open over the table: a site, a row of sites, a card, the agreement to an undo, the links, the menu, the player's name. */
/** @import { Draft } from './dom.js' */
/** @import { BotLevel, Part } from './table.js' */
/** @import { Page } from './page.js' */
import { rowsOf, sitePicture } from './board.js';
import { tablePreferences } from './calling.js';
import { h, numberOf } from './dom.js';
import { appearanceOf, choicesAt, visibleMoment, visibleParts } from './game.js';
import { nameAt } from './hand.js';
import { cardPicture, seatDisc } from './pictures.js';
import { ruleCard, whyButton } from './prose.js';
import { HOME, INVITES } from './server.js';
import { fill, language, stored, t, words } from './words.js';

/**
 * The data that this device stores for the opener of a table.
 *
 * @typedef {{ opener: string, invitations: { seat: number, token: string }[], isRematch?: boolean }} Keys
 */

/**
 * Return the content of the sheet that is open.
 *
 * @param {Page} page
 * @param {Keys | null} keys
 * @param {readonly string[]} origins the addresses of the server for other machines
 * @returns {(Draft | null | false)[]}
 */
export function sheetView(page, keys, origins) {
  const [kind, ...rest] = (page.sheet ?? '').split('-');
  const id = rest.join('-');
  return [h('button', { class: 'close', 'data-do': 'close', 'data-key': 'close', 'aria-label': t.close }, '×'), ...content(page, kind ?? '', id, keys, origins)];
}

/**
 * @param {Page} page
 * @param {string} kind
 * @param {string} id
 * @param {Keys | null} keys
 * @param {readonly string[]} origins
 * @returns {(Draft | null | false)[]}
 */
function content(page, kind, id, keys, origins) {
  switch (kind) {
    case 'site': return siteSheet(page, Number(id));
    case 'row': return rowSheet(page, Number(id));
    case 'card': return cardSheet(page, id);
    case 'agree': return agreeSheet(page);
    case 'links': return linksSheet(page, keys, origins);
    case 'menu': return menuSheet(page, keys);
    case 'name': return [h('h2', {}, t.your_name), h('p', {}, t.name_help), nameView(page)];
    default: return [];
  }
}

/** Return the reason why an element cannot be chosen: the reason from the server, or a sentence with the current prompt. @param {Page} page */
function whyView(page) {
  const { word } = page.game;
  const now = page.game.now;
  if (now !== null && now.asked !== null && page.game.past === null && word?.kind !== 'why' && !page.game.pending.some(each => each.kind === 'why-not')) {
    return h('p', { class: 'why' }, fill(t.not_now, now.bar));
  }
  return word?.kind === 'why' ? h('div', { class: 'why', role: 'status' }, h('b', {}, `${t.why_not}: `), word.text, ' ', whyButton(page, word.rule?.clause), ruleCard(page)) : null;
}

/**
 * Return the character of the building on a site.
 *
 * @param {Page} page
 * @param {number} site
 */
function characterAt(page, site) {
  return visibleMoment(page.game)?.view.value.table.display[site]?.character ?? null;
}

/** @param {Page} page @param {number} site */
function siteSheet(page, site) {
  const part = visibleParts(page.game).get(`site-${site}`);
  if (part === undefined) return [];
  return [h('div', { class: 'site-sheet' }, sitePicture(part), siteWords(page, site, part)), choicesAt(page.game, `site-${site}`).length === 0 && whyView(page)];
}

/** @param {Page} page @param {number} site @param {Part} part */
function siteWords(page, site, part) {
  const character = characterAt(page, site);
  const choice = choicesAt(page.game, `site-${site}`)[0];
  return h('div', { class: 'description' },
    h('h2', {}, part.title),
    character && h('p', {}, h('b', {}, `${words.characters[character]?.name}: `), words.characters[character]?.effect),
    choice ? h('button', { class: 'main', 'data-do': 'answer', 'data-action': JSON.stringify(choice.action.value) }, choice.label) : null);
}

/**
 * Return a row of the display in a readable size.  On a narrow screen, pressing a site opens this sheet instead of choosing the site.
 *
 * @param {Page} page
 * @param {number} row
 */
function rowSheet(page, row) {
  const sites = rowsOf(visibleParts(page.game))[row] ?? [];
  return [h('h2', {}, fill(t.row, row + 1)), h('ul', { class: 'row-sheet' }, sites.map(({ site, part }) => {
    const choice = choicesAt(page.game, `site-${site}`)[0];
    return h('li', { 'data-key': site },
      sitePicture(part),
      choice ? h('button', { class: 'main', 'data-do': 'answer', 'data-action': JSON.stringify(choice.action.value), 'aria-label': `${t.choose}: ${choice.label}` }, t.choose)
        : h('button', { 'data-do': 'site-sheet', 'data-site': site, 'aria-label': `${t.what_is_this} ${part.title}` }, t.what_is_this));
  }))];
}

/** @param {Page} page @param {string} character */
function cardSheet(page, character) {
  const card = words.characters[character];
  if (card === undefined) return [];
  const choices = [...choicesAt(page.game, `hand-${character}`), ...choicesAt(page.game, `supply-${character}`)];
  return [h('div', { class: 'site-sheet' },
    cardPicture(/** @type {keyof typeof words.characters & import('../../schema/valletta.js').Character} */ (character), visibleMoment(page.game)?.view.value.table.rules),
    h('div', { class: 'description' }, h('h2', {}, card.name), h('p', {}, card.effect),
      choices.map(choice => h('button', { class: appearanceOf(page.game, choice.action.value), 'data-do': 'answer', 'data-action': JSON.stringify(choice.action.value) }, choice.label)))),
  choices.length === 0 && whyView(page)];
}

/** @param {Page} page */
function agreeSheet(page) {
  const undo = page.game.now?.undo;
  return undo ? [h('h2', {}, fill(t.undo_what, undo.label)), h('p', {}, t.undo_agree),
    h('p', { class: 'answers' }, h('button', { class: 'main', 'data-do': 'undo-agreed' }, t.all_agree), h('button', { 'data-do': 'close' }, t.cancel))] : [];
}

/**
 * Return the links to the seats, for the opener of the table.
 *
 * @param {Page} page
 * @param {Keys | null} keys
 * @param {readonly string[]} origins
 */
function linksSheet(page, keys, origins) {
  const { game } = page;
  const at = `${origins[0] ?? location.origin}${location.pathname}`;
  return [h('h2', {}, t.links), h('h3', {}, t.your_name), nameView(page), h('p', {}, t.links_help),
    origins.length === 0 && isLocal() && h('p', { class: 'word refused' }, `${t.links_local} `, h('kbd', {}, 'valletta serve --host 0.0.0.0')),
    h('ul', { class: 'links' }, game.seats.filter(seat => seat.level === null).map(seat => {
      const token = keys?.invitations.find(each => each.seat === seat.seat)?.token;
      return h('li', { 'data-key': seat.seat },
        h('span', { class: 'who' }, seatDisc(seat.seat, seat.colour), ' ', seat.name, ' ', h('small', {}, seat.is_here ? t.here : t.away)),
        token === undefined ? null : linkField(`${at}#${token}`, fill(t.link_for, seat.name)),
        game.isOpener && h('button', { 'data-do': 'renew', 'data-seat': seat.seat }, t.new_link),
        game.isOpener && !game.own.includes(seat.seat) && sitIn(seat.seat, seat.sitting_in));
    }),
    h('li', { 'data-key': 'spectator' }, h('span', { class: 'who' }, t.spectator_link), linkField(at, t.spectator_link))),
    game.isOpener && h('p', { class: 'hint-text' }, t.new_link_help)];
}

/** Return the form that changes the name of a player; null unless exactly one player uses this page. @param {Page} page */
function nameView(page) {
  const { game } = page;
  const own = game.own.length === 1 ? game.seats[game.own[0] ?? 0] : undefined;
  return own === undefined ? null : h('form', { class: 'link', 'data-key': 'name', 'data-same': `${numberOf(own.name)} ${page.sheet}` }, // an update does not change typed text
    h('input', { type: 'text', name: 'name', autofocus: page.sheet === 'name', maxlength: 40, autocomplete: 'nickname', 'aria-label': t.your_name, placeholder: own.name, value: own.is_named ? own.name : stored('name') ?? '' }),
    h('button', { class: 'main' }, t.take_seat));
}

/** Return whether the address of this page is a loopback address, which other devices cannot use. */
function isLocal() {
  return /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
}

/** @param {string} address @param {string} label */
function linkField(address, label) {
  return h('span', { class: 'link' }, h('input', { readonly: true, value: address, 'aria-label': label, 'data-do': 'select' }),
    isSecureContext && h('button', { 'data-do': 'copy', 'data-text': address }, t.copy));
}

/** @param {number} seat @param {BotLevel | null} sitting */
function sitIn(seat, sitting) {
  return h('label', { class: 'sit-in' }, t.sit_in, ' ', h('select', { 'data-do': 'sit-in', 'data-seat': seat },
    h('option', { value: '', selected: sitting === null }, t.nobody),
    Object.entries(words.levels).map(([level, name]) => h('option', { value: level, selected: sitting === level }, name))));
}

/** The pauses of bots that can be chosen, in milliseconds. */
const PAUSES = [0, 500, 1200, 2500];

/** @param {Page} page @param {Keys | null} keys */
function menuSheet(page, keys) {
  const { game } = page;
  return [h('h2', {}, t.menu), h('p', { class: 'hint-text' }, game.heading),
    h('div', { class: 'menu' },
      ...preferences(),
      ...tablePreferences(),
      game.seats.some(seat => (seat.level ?? seat.sitting_in) !== null) && h('label', {}, t.pause, h('select', { 'data-do': 'pause' },
        PAUSES.map((pause, number) => h('option', { value: pause, selected: closest(game.pause) === pause }, [t.pause_none, t.pause_short, t.pause_usual, t.pause_long][number])))),
      INVITES && !game.isReplay && (keys !== null || game.isOpener) && h('button', { 'data-do': 'links' }, t.links),
      game.now?.finish && !game.isTrial && h('button', { 'data-do': 'record' }, t.record),
      h('a', { class: 'button', href: HOME }, t.to_lobby)),
    h('h3', { class: 'keys' }, t.keys), h('ul', { class: 'keys hint-text' }, [t.keys_digits, t.keys_arrows, t.keys_why, t.keys_escape].map(each => h('li', {}, each)))];
}

/** @param {number} pause */
function closest(pause) {
  return PAUSES.reduce((best, each) => (Math.abs(each - pause) < Math.abs(best - pause) ? each : best));
}

/** Return the preferences of this device: the language, and light or dark colours. */
export function preferences() {
  return [
    h('label', { 'data-key': 'language' }, t.language, h('select', { 'data-do': 'language' },
      [['en', 'English'], ['de', 'Deutsch']].map(([code, name]) => h('option', { value: code, lang: code, selected: language() === code }, name)))),
    h('label', { 'data-key': 'theme' }, t.theme, h('select', { 'data-do': 'theme' },
      [['', t.theme_auto], ['light', t.theme_light], ['dark', t.theme_dark]].map(([theme, name]) => h('option', { value: theme, selected: (stored('theme') ?? '') === theme }, name)))),
  ];
}

/**
 * Return the curtain, which hides all hands until the next player at a shared screen confirms that they are in front of it.
 *
 * @param {Page} page
 */
export function curtainView(page) {
  const waits = page.game.now?.waits_for ?? null;
  if (waits === null || page.game.past !== null) return null;
  const name = nameAt(page, waits);
  return h('section', { class: 'curtain', 'data-key': 'curtain', 'aria-labelledby': 'curtain-title' },
    seatDisc(waits, page.game.seats[waits]?.colour ?? 'red'),
    h('h2', { id: 'curtain-title' }, fill(t.curtain, name)), h('p', {}, t.curtain_help),
    h('button', { class: 'main', 'data-do': 'present', 'data-seat': waits }, fill(t.i_am, name)));
}
