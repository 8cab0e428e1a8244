/** The panels with the public information about the players, and the result and the analysis of a finished game. */
/** @import { CardBag } from '../../schema/valletta.js' */
/** @import { GameReport, Judgement, Moment, Panel, SeatSeen } from './table.js' */
/** @import { Page } from './page.js' */
import { labels } from './board.js';
import { h, svg } from './dom.js';
import { GOODS, choicesAt, isMine, promptOf, visibleMoment } from './game.js';
import { LETTERS, goodPicture, housePicture, seatDisc, seatTag } from './pictures.js';
import { flagged } from './replay.js';
import { HOME } from './server.js';
import { fill, t, words } from './words.js';

/**
 * Return the panels of the players, the progress towards the end of the game, and the number of spectators.
 *
 * @param {Page} page
 */
export function panelsView(page) {
  const moment = visibleMoment(page.game);
  if (moment === null) return [];
  return [
    ...moment.panels.map(panel => panelView(page, panel, moment)),
    h('p', { class: 'ending', 'data-key': 'ending' }, [`${t.end}: ${moment.ending}`, moment.finish === null && moment.panels[0]?.conditions[0]].filter(Boolean).join(' · ')),
    page.game.spectators > 0 && !page.game.isReplay && page.study === null && h('p', { class: 'ending', 'data-key': 'spectators' }, fill(t.spectators, page.game.spectators)),
  ];
}

/**
 * @param {Page} page
 * @param {Panel} panel
 * @param {Moment} moment
 */
function panelView(page, panel, { asked, finish }) {
  const seat = page.game.seats[panel.seat];
  if (seat === undefined) return null;
  return h('section', { class: asked === panel.seat ? 'panel asked' : 'panel', 'data-key': `panel-${panel.seat}`, 'data-seat': panel.seat, 'aria-label': seat.name },
    h('h2', { class: `seat-${seat.colour}` }, seatDisc(seat.seat, seat.colour), h('span', { class: 'name' }, seat.name), presence(page, seat)),
    h('ul', { class: 'goods' }, GOODS.map(good => h('li', { 'data-good': good, 'data-moves': `goods-${panel.seat}-${good}` },
      goodPicture(good),
      h('b', { 'aria-label': `${panel.goods[good]} ${words.goods[good]}` }, panel.goods[good]),
      h('small', { title: t.icons, 'aria-label': fill(t.icons_of, panel.icons[good]) }, `(${panel.icons[good]})`)))),
    h('div', { class: 'points' },
      h('span', { class: 'now', title: t.points_now }, h('b', {}, finish ? panel.predicted : panel.points), ` ${t.points}`),
      finish === null && h('span', { class: 'predicted', title: t.predicted_long }, fill(t.predicted, panel.predicted)),
      h('span', { class: 'houses', role: 'img', 'aria-label': fill(t.houses_of, panel.houses, panel.most_houses) },
        Array.from({ length: panel.most_houses }, (_, each) => h('span', { class: `seat-${seat.colour}` }, housePicture(each < panel.houses))))),
    h('details', { 'data-key': 'more' }, h('summary', { title: t.more }, fill(t.piles, panel.hand, panel.draw_pile, sizeOf(panel.discard_pile))),
      listOf(t.buildings, panel.buildings),
      h('h3', {}, t.hidden_cards), labels(page, 'pile', Object.entries(panel.hidden)),
      h('h3', {}, t.discard_pile), labels(page, 'pile', Object.entries(panel.discard_pile)),
      listOf(t.end, panel.conditions)),
  );
}

/** Matches windows that always show the possessions of the other players, if they have no side column. */
const broad = matchMedia('(min-width: 63.76em)');

/** The cards whose effects depend on the possessions of other players. */
const TAKERS = ['monk', 'innkeeper', 'tax_collector', 'nun'];

/**
 * Return the possessions of the other players, which the style sheet shows only in layouts without a side column.  They are expanded in wide
 * windows, while a card in `TAKERS` can be played, and at the prompt of the Nun.
 *
 * @param {Page} page
 */
export function othersView(page) {
  const moment = visibleMoment(page.game);
  if (moment === null) return null;
  const { game } = page;
  const isTaking = isMine(game) && game.past === null && promptOf(moment.view.value)?.type === 'NunPrompt';
  const isOpen = broad.matches || isTaking || TAKERS.some(card => choicesAt(game, `hand-${card}`).length > 0);
  const others = moment.panels.filter(({ seat }) => seat !== (moment.viewer ?? moment.asked));
  return h('details', { 'data-key': `others-${isOpen}`, open: isOpen }, h('summary', {}, t.others),
    others.map(panel => ownedView(game.seats[panel.seat], panel)));
}

/**
 * Return a line with the goods, houses and points of a player.
 *
 * @param {SeatSeen | undefined} seat
 * @param {Panel} panel
 */
export function ownedView(seat, panel) {
  if (seat === undefined) return null;
  return h('ul', { class: 'stock', 'data-key': `stock-${seat.seat}`, 'aria-label': `${seat.name}: ${t.goods}` },
    h('li', {}, seatTag(seat)),
    GOODS.map(good => h('li', {}, goodPicture(good), h('b', { 'aria-label': `${panel.goods[good]} ${words.goods[good]}` }, panel.goods[good]))),
    h('li', { class: `seat-${seat.colour}`, title: fill(t.houses_of, panel.houses, panel.most_houses) }, housePicture(true), h('b', { 'aria-label': fill(t.houses_of, panel.houses, panel.most_houses) }, panel.houses)),
    h('li', {}, `${panel.points} ${t.points}`));
}

/** @param {CardBag} bag */
function sizeOf(bag) {
  return Object.values(bag).reduce((sum, count) => sum + count, 0);
}

/** @param {string} heading @param {readonly string[]} items */
function listOf(heading, items) {
  return [h('h3', {}, heading), items.length === 0 ? h('p', { class: 'nothing' }, t.nothing) : h('ul', {}, items.map(item => h('li', {}, item)))];
}

/**
 * Return the presence of a player: the level of a bot, a player at this page, or a lamp that shows whether the player is connected.
 *
 * @param {Page} page
 * @param {SeatSeen} seat
 */
function presence(page, seat) {
  if (page.game.isReplay || page.study !== null) return null;
  const level = seat.level ?? seat.sitting_in;
  if (level !== null) return h('span', { class: 'presence' }, seat.level === null ? fill(t.sits_in, words.levels[level] ?? level) : words.levels[level]);
  if (page.game.own.includes(seat.seat)) return h('span', { class: 'presence' }, t.you);
  return h('span', { class: 'presence' }, h('span', { class: seat.is_here ? 'lamp here' : 'lamp', 'aria-hidden': 'true' }), seat.is_here ? t.here : t.away);
}

/**
 * Return the result of a game that is over: the score sheet, the chart of the points, buttons, and the analysis if there is one.
 *
 * @param {Page} page
 */
export function finishView(page) {
  const finish = visibleMoment(page.game)?.finish ?? null;
  if (finish === null) return [];
  const { own, seats } = page.game;
  return [h('section', { class: 'finish', 'data-key': 'finish', 'aria-labelledby': 'sentence' },
    finish.rule && h('p', { class: 'tie' }, finish.rule.text),
    h('div', { class: 'sheets' },
      h('table', { class: 'sheet' },
        h('caption', {}, t.score_sheet),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t.player), [t.track, t.buildings, t.goods, t.total].map(each => h('th', { scope: 'col' }, each)))),
        h('tbody', {}, finish.scores.map(row => h('tr', { class: finish.winners.includes(row.seat) ? 'winner' : null },
          h('th', { scope: 'row' }, seatDisc(row.seat, seats[row.seat]?.colour ?? 'red'), ' ', seats[row.seat]?.name ?? '', own.length < seats.length && own.includes(row.seat) && h('small', {}, ` (${t.you})`), finish.winners.includes(row.seat) && h('span', { class: 'crown' }, '\u00a0★', h('span', { class: 'hidden' }, ` ${t.winner}`))),
          [row.track, row.buildings, row.goods].map(each => h('td', {}, each)), h('td', {}, h('b', {}, row.track + row.buildings + row.goods)))))),
      h('figure', {}, h('figcaption', {}, t.course), plot(finish.course, seats, t.course))),
    finish.decided && h('p', {}, finish.decided),
    finish.moments.length > 0 && h('section', { 'data-key': 'moments' }, h('h3', {}, t.moments), momentsOf(finish.moments)),
    h('p', { class: 'answers' },
      !page.game.isReplay && h('a', { class: page.game.isTrial ? 'button main' : 'button', href: HOME }, page.game.isTrial ? t.again : t.to_lobby),
      !page.game.isTrial && h('button', { 'data-do': 'record' }, t.record),
      h('button', { 'data-do': 'first' }, t.step_through),
      !page.game.isTrial && page.game.report === null && analyseButtons(page),
      studyButtons(page)),
    page.game.report && reportView(page.game.report, seats))];
}

/** Return the button that requests the analysis and then shows its progress, and a button that cancels it. @param {Page} page */
function analyseButtons(page) {
  const isSent = page.game.pending.some(each => each.kind === 'analyse');
  return [
    h('button', { 'data-do': 'analyse', 'data-key': 'analyse', 'data-sent': isSent, 'aria-disabled': String(isSent) }, isSent ? fill(t.analysing, Math.round(100 * page.game.done)) : t.analyse),
    isSent && h('button', { 'data-do': 'give-up', 'data-key': 'give-up' }, t.give_up)];
}

/** Return the buttons that open the exercises of the seats at this page, or of all seats for a spectator. @param {Page} page */
function studyButtons({ game }) {
  const { own, seats } = game;
  return seats.filter(({ seat }) => flagged(game, seat).length > 0 && (own.length === 0 || own.includes(seat))).map(({ seat, name }) => h('button', {
    class: 'main', 'data-do': 'study', 'data-key': `study-${seat}`, 'data-seat': seat, 'data-number': 0,
  }, `${own.length === 1 ? t.study : fill(t.study_of, name)} (${flagged(game, seat).length})`));
}

/**
 * Return the analysis: the table of decisions and luck, the chart of the chances to win, and sections of sentences that link to moments.
 *
 * @param {GameReport} report
 * @param {readonly SeatSeen[]} seats
 */
function reportView(report, seats) {
  return h('div', { class: 'report', 'data-key': 'report' }, h('p', { class: 'hint-text' }, report.limits),
    h('div', { class: 'sheets' },
      h('table', { class: 'sheet' },
        h('caption', {}, report.play),
        h('thead', {}, h('tr', {}, report.headings.slice(0, 1).map(each => h('th', { scope: 'col' }, each)), report.lines.map(line => h('th', { scope: 'col' }, line[0] ?? '')))),
        h('tbody', {}, report.headings.slice(1).map((heading, row) => h('tr', {}, h('th', { scope: 'row' }, heading), report.lines.map(line => h('td', {}, line[row + 1] ?? '')))))),
      h('figure', {}, h('figcaption', {}, `${report.chances} (%)`), plot(report.course.map(chances => chances.map(each => Math.round(100 * each))), seats, report.chances, 100))),
    report.sections.map(({ title, told }) => h('section', {}, h('h3', {}, title),
      told.length === 0 ? h('p', { class: 'nothing' }, t.nothing) : momentsOf(told))));
}

/** Return a list of judgements, each with a button that shows its moment. @param {readonly Judgement[]} judgements */
function momentsOf(judgements) {
  return h('ol', {}, judgements.map(({ revision, sentence }) => h('li', {}, sentence, ' ', h('button', { class: 'clause', 'data-do': 'look', 'data-at': revision, 'aria-label': `${t.look_back}: ${sentence}` }, t.look_back))));
}

/**
 * Return a chart of values of all players, such as their points after each step.  The lines differ in colour and in stroke.
 *
 * @param {readonly (readonly number[])[]} course
 * @param {readonly SeatSeen[]} seats
 * @param {string} label
 * @param {number} most the maximum of the scale
 */
function plot(course, seats, label, most = Math.max(1, ...course.flat())) {
  const [width, height] = [340, 180];
  const right = width - 16 * seats.length;
  const x = (/** @type {number} */ step) => 24 + (right - 24) * step / Math.max(1, course.length - 1);
  const y = (/** @type {number} */ points) => height - 20 - (height - 34) * points / most;
  const marks = [0, Math.round(most / 2), most];
  return svg('svg', { class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    marks.map(mark => svg('g', { class: 'mark' },
      svg('line', { x1: 24, x2: right, y1: y(mark), y2: y(mark) }), svg('text', { x: 21, y: y(mark) + 4, 'text-anchor': 'end' }, mark))),
    seats.map(({ seat, colour }) => svg('g', { class: `seat-${colour}` },
      svg('polyline', { class: `line line-${seat}`, points: course.map((row, step) => `${x(step).toFixed(1)},${y(row[seat] ?? 0).toFixed(1)}`).join(' ') }))),
    ends(course.at(-1) ?? [], y).map(({ seat, at, column }) => svg('g', { class: `end seat-${seats[seat]?.colour}`, transform: `translate(${right + 9 + 16 * column} ${at})` },
      svg('circle', { r: 7.5 }), svg('text', { y: 4, 'text-anchor': 'middle' }, LETTERS[seat] ?? ''))));
}

/**
 * Return the places of the letters at the ends of the lines.  A letter is at the height of its line, in the first column from the left in which
 * it overlaps no other letter.
 *
 * @param {readonly number[]} points
 * @param {(points: number) => number} y
 */
function ends(points, y) {
  /** @type {{ seat: number, at: number, column: number }[]} */
  const placed = [];
  for (const [seat, each] of points.entries()) {
    const at = y(each);
    const near = placed.filter(other => Math.abs(other.at - at) < 16).map(other => other.column);
    placed.push({ seat, at, column: points.findIndex((_, column) => !near.includes(column)) });
  }
  return placed;
}
