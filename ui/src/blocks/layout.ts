/** How wide sections stand: what needs half a row or less shares it with its neighbour. */
import { width as widthOf } from "../base/measure";
import { capital, largest, num } from "../base/numbers";
import { plain } from "../parts/spans";
import { type Cell, type Column, type Section, type Table } from "../page";
import { matrixNeed } from "./matrix";

/** Pixels of a section on a page of 1 280. */
const ROOM = { third: 389, smaller: 493, half: 596, larger: 699, most: 803, full: 1216 } as const;
/** A cell's room on its left. */
const PAD = 20;
const CELL = "400 13px Inter";
/** Of a row's line, a verdict's outline, a strip of seeds. */
const SAMPLE = 36;
const OUTLINE = 14;
const STRIP = 174;
/** Words of more characters are broken into lines. */
export const LINE = 28;
/** Heads of more characters are broken into two lines. */
const HEAD = 20;

/** A head begins with a capital, and a long one is broken in its middle. */
export function headWords({ head, unit }: { head: string; unit: string }): string {
  const words = /^[a-z]+\b(?![._/=-])/.test(head) ? capital(head) : head;
  const spaces = [...words.matchAll(/ /g)].map((m) => m.index);
  const off = (at: number) => Math.abs(at - words.length / 2);
  const middle = spaces.sort((a, b) => off(a) - off(b))[0];
  const two =
    words.length > HEAD && middle !== undefined && !words.includes("\n")
      ? `${words.slice(0, middle)}\n${words.slice(middle + 1)}`
      : words;
  return unit === "" ? two : `${two}${two.includes("\n") ? ", " : "\n"}${unit}`;
}

function cellNeed(cell: Cell | undefined, { digits }: Column): number {
  const needs = (words: string) => widthOf(words.slice(0, LINE), CELL);
  switch (cell?.is) {
    case "text":
      return needs(plain(cell.text)) + (cell.kind ? 17 : 0);
    case "number":
      return needs(num(cell.value, digits) + (cell.ci95 === null ? "" : ` ± ${num(cell.ci95)}`));
    case "verdict":
      return needs(cell.verdict) + OUTLINE + needs(cell.reason);
    case "seeds":
      return STRIP;
    default:
      return 0;
  }
}

/** Pixels that a table's words need. */
export function tableNeed({ columns, rows }: Table): number {
  return columns.reduce((sum, column, i) => {
    const cells = largest(rows.map((row) => cellNeed(row.cells[i], column)));
    const head = largest(
      headWords(column)
        .split("\n")
        .map((line) => widthOf(line)),
    );
    const sample = i === 0 && rows.some((row) => row.role !== null) ? SAMPLE : 0;
    return sum + Math.max(head, cells + sample) + (i === 0 ? 0 : PAD);
  }, 0);
}

/** Whether a section over the whole width needs this much at most. */
function within(section: Section | undefined, room: number): boolean {
  if (!section || section.width !== "full" || section.wide !== undefined) return false;
  if (section.empty !== null) return false;
  switch (section.kind) {
    case "table":
      return tableNeed(section) <= room;
    case "matrix":
      return matrixNeed(section) <= room;
    default:
      return section.kind === "shares";
  }
}

/** Whether a section's qualifier has room in its title line. */
export const titled = ({ title, qualifier, width, tags }: Section): boolean =>
  tags.length > 0 ||
  widthOf(title, "620 14px Inter") + widthOf(qualifier, "400 12.5px Inter") + 8 <= ROOM[width];

/** Bars, and tables of few columns, are as wide as they need: half a row, or less of one that a
 * table needs more of. */
export function fitted(sections: Section[]): Section[] {
  return sections.map((section, i) => {
    const [before, after] = [sections[i - 1], sections[i + 1]];
    const larger = (s: Section | undefined) => within(s, ROOM.larger) && !within(s, ROOM.half);
    if (larger(section) && before?.kind === "shares" && within(before, ROOM.half))
      return { ...section, width: "larger" };
    if (!within(section, ROOM.half)) return section;
    return { ...section, width: section.kind === "shares" && larger(after) ? "smaller" : "half" };
  });
}
