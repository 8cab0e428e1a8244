/** Formats findings as a report with a paragraph for each problem. */

const PLACES = 6;

const heading = ({ check, problem }) => `${check}: ${problem}`;

function groups(findings) {
  const causes = new Map();
  for (const finding of findings) {
    const key = heading(finding);
    causes.set(key, (causes.get(key) ?? new Map()));
    const place = `${finding.page}: ${finding.where}`;
    causes.get(key).set(place, (causes.get(key).get(place) ?? new Set()).add(finding.mode ?? ''));
  }
  return [...causes].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Returns the findings as text; without `all`, with at most PLACES places for each problem. */
export function report(findings, all) {
  const lines = [];
  for (const [cause, places] of groups(findings)) {
    const pages = new Set([...places.keys()].map(place => place.split(': ')[0]));
    lines.push('', `${cause}`, `  ${places.size} place(s) on ${pages.size} page(s)`);
    const listed = [...places].slice(0, all ? places.size : PLACES);
    for (const [place, modes] of listed) {
      const when = [...modes].filter(Boolean).join('; ');
      lines.push(`  - ${place}${when && ` [${when}]`}`);
    }
    if (listed.length < places.size) lines.push(`  - and ${places.size - listed.length} more (--all lists them)`);
  }
  return lines.join('\n');
}
