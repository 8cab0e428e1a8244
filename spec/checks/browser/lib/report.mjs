/** Findings, sorted and grouped so that one cause is one paragraph. */

const PLACES = 6;

const heading = ({ check, what }) => `${check}: ${what}`;

function groups(findings) {
  const found = new Map();
  for (const finding of findings) {
    const key = heading(finding);
    found.set(key, (found.get(key) ?? new Map()));
    const place = `${finding.page}: ${finding.where}`;
    found.get(key).set(place, (found.get(key).get(place) ?? new Set()).add(finding.mode ?? ''));
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The findings as text; without `all`, at most a few places of each cause. */
export function report(findings, all) {
  const lines = [];
  for (const [cause, places] of groups(findings)) {
    const pages = new Set([...places.keys()].map(place => place.split(': ')[0]));
    lines.push('', `${cause}`, `  ${places.size} place(s) on ${pages.size} page(s)`);
    const shown = [...places].slice(0, all ? places.size : PLACES);
    for (const [place, modes] of shown) {
      const when = [...modes].filter(Boolean).join('; ');
      lines.push(`  - ${place}${when && ` [${when}]`}`);
    }
    if (shown.length < places.size) lines.push(`  - and ${places.size - shown.length} more (--all lists them)`);
  }
  return lines.join('\n');
}
