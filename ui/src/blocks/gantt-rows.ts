/** Which rows of a Gantt chart stand where: groups, folded ones as a lane. */
import { type Gantt, type GanttRow } from "../page";

export const ROW = 22;
export const HEAD = 22;
/** A folded group is one line. */
export const LANE = 26;
const AFTER = 8;
/** Over so many rows in all, groups that have more than their part fold. */
export const FOLD_ABOVE = 100;

export type Item =
  | { is: "head"; group: number; y: number; folds: boolean }
  | { is: "lane"; group: number; y: number }
  | { is: "row"; group: number; place: number; row: GanttRow; y: number };

export interface Rows {
  items: Item[];
  height: number;
}

/** Groups fold where all rows together are too many to read; those in `open` are unfolded. */
export function layRows({ groups }: Gantt, open: Set<number>): Rows {
  const all = groups.reduce((a, g) => a + g.rows.length, 0);
  const items: Item[] = [];
  let y = 0;
  groups.forEach(({ rows, title }, group) => {
    const folds = all > FOLD_ABOVE;
    const unfolded = !folds || open.has(group);
    if (!unfolded) {
      items.push({ is: "lane", group, y });
      y += LANE;
      return;
    }
    if (title !== "" || folds) {
      items.push({ is: "head", group, y, folds });
      y += HEAD;
    }
    rows.forEach((row, place) => {
      items.push({ is: "row", group, place, row, y });
      y += ROW;
    });
    y += AFTER;
  });
  return { items, height: y };
}

/** Items that reach into a stretch of heights. */
export function within({ items }: Rows, from: number, to: number): Item[] {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle]!.y + LANE < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < items.length && items[end]!.y < to) end++;
  return items.slice(low, end);
}

/** "0.3" for the fourth row of the first group. */
export const rowId = (group: number, place: number): string => `${group}.${place}`;

/** Numbers of a list in an address: "0,3". */
export const numbers = (words: string | null): Set<number> =>
  new Set((words ?? "").split(",").filter(Boolean).map(Number).filter(Number.isInteger));
