/** Names as a reader writes them: "dn07", "dn07:9866", "DN07.example.com", "rack2". */

/** Its place, or the places of the names that are nearest. */
export type Found = { at: number } | { near: number[] };

const withoutPort = (name: string): string => name.replace(/:\d+$/, "");
/** The host's own name; an address is no name. */
const host = (name: string): string =>
  /^[\d.]+$/.test(name) ? name : name.replace(/(?<=.)\..*$/, "");

/** From what is written to what is meant, one step after the other. */
const FORMS: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase().replace(/^\/+|\/+$/g, ""),
  (name) => withoutPort(FORMS[1]!(name)),
  (name) => host(FORMS[2]!(name).replace(/^.*\//, "")),
];

const MOST = 5;

/** The first form in which one name only is the written one; else a place as a number. */
export function find(names: string[], words: string): Found {
  for (const form of FORMS) {
    const wanted = form(words);
    const same = names.flatMap((name, i) => (form(name) === wanted ? [i] : []));
    if (same.length === 1) return { at: same[0]! };
    if (same.length > 1) return { near: same.slice(0, MOST) };
  }
  if (/^\d+$/.test(words) && Number(words) < names.length) return { at: Number(words) };
  return { near: nearest(names, words) };
}

/** The names with the fewest changes, the first ones where there are many. */
export function nearest(names: string[], words: string): number[] {
  const wanted = FORMS[2]!(words);
  return names
    .map((name, i) => ({ i, far: changes(FORMS[2]!(name), wanted) }))
    .sort((a, b) => a.far - b.far || a.i - b.i)
    .slice(0, MOST)
    .map(({ i }) => i);
}

/** Letters to insert, drop or change from one word to the other (Levenshtein). */
export function changes(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, k) => k);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) {
      const same = a[i - 1] === b[k - 1] ? 0 : 1;
      next.push(Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + same));
    }
    row = next;
  }
  return row[b.length]!;
}

/** What addresses say for places: their names, or the number where names repeat. */
export function writtenAll(names: string[]): string[] {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.map((name, i) =>
    name !== "" && times.get(name) === 1 ? name.replace(/^\/+/, "") : String(i),
  );
}
