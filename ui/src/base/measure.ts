/** Widths of text, so that labels are placed by what they need. */

export const WORDS = "400 12px Inter";
export const BOLD = "620 12px Inter";
export const MONO = "500 11.5px 'JetBrains Mono'";
/** Of a curve's flag: its value, and its name. */
export const VALUE_FONT = "620 12.5px Inter, sans-serif";
export const NAME_FONT = "400 12.5px Inter, sans-serif";

export type Measure = (words: string, font?: string) => number;

let pen: CanvasRenderingContext2D | null = null;

/** The browser's width of a text in pixels. Fonts have to be loaded. */
export const width: Measure = (words, font = WORDS) => {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return words.length * 6.5;
  pen.font = font;
  return pen.measureText(words).width;
};

/** Shortens at the end until it fits. */
export function fit(words: string, room: number, font = WORDS, measure: Measure = width): string {
  if (measure(words, font) <= room) return words;
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${words.slice(0, middle)}…`, font) <= room) low = middle;
    else high = middle - 1;
  }
  return `${words.slice(0, low)}…`;
}

/** Shortens a key at its start, piece by piece: "…replication.max-streams = 2". */
export function fitKey(key: string, room: number, font = MONO, measure: Measure = width): string {
  let words = key;
  while (measure(words, font) > room) {
    const dot = words.indexOf(".", words.startsWith("…") ? 1 : 0);
    const equals = words.indexOf("=");
    if (dot < 0 || (equals >= 0 && dot > equals)) return fit(words, room, font, measure);
    words = `…${words.slice(dot + 1)}`;
  }
  return words;
}

/** Shortens "host.rack.domain disk 6" in its domain, so that host and disk stay. */
export function fitName(
  name: string,
  room: number,
  font = WORDS,
  measure: Measure = width,
): string {
  const space = name.includes(" ") ? name.indexOf(" ") : name.length;
  const labels = name.slice(0, space).split(".");
  let words = name;
  while (labels.length > 1 && measure(words, font) > room) {
    labels.pop();
    words = `${labels.join(".")}…${name.slice(space)}`;
  }
  return fit(words, room, font, measure);
}

/** Breaks words into at most so many lines; what does not fit the last is shortened. */
export function wrap(words: string, room: number, most = 2, measure: Measure = width): string[] {
  const lines: string[] = [];
  let rest = words.split(" ");
  while (rest.length > 0) {
    let n = 1;
    while (n < rest.length && measure(rest.slice(0, n + 1).join(" ")) <= room) n++;
    if (lines.length === most - 1) n = rest.length;
    lines.push(fit(rest.slice(0, n).join(" "), room, WORDS, measure));
    rest = rest.slice(n);
  }
  return lines;
}

/** Labels are measured, so fonts come first. */
export const fontsReady = (): Promise<unknown> =>
  Promise.all(
    ["500 12px Inter", "500 12px 'JetBrains Mono'"].map((font) => document.fonts.load(font)),
  );
