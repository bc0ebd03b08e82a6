/** A table: words, numbers with their interval, verdicts, seeds as dots. */
import { rangeTicks, scale } from "../base/axis";
import { h, on, s, type Child } from "../base/dom";
import { largest, NONE, num } from "../base/numbers";
import { href } from "../base/selection";
import { sample, type LineStyle } from "../parts/sample";
import { plain, sentence, swatch } from "../parts/spans";
import { type Cell, type Column, type Row, type Table } from "../page";
import { headWords, LINE } from "./layout";
import { apart } from "./lines";

const STRIP = 150;
/** Of more rows so many are shown at once, and those that have a role. */
const MOST = 24;
const FIRST = 12;

/** Of all rows of a column, in round numbers. */
function rangeOf(rows: Row[], column: number): [number, number] | null {
  const all = rows.flatMap(({ cells }) => {
    const cell = cells[column];
    return cell?.is === "seeds" ? cell.values : [];
  });
  if (all.length === 0) return null;
  const [low, high] = [Math.min(...all), largest(all, -Infinity)];
  const step = rangeTicks(0, Math.max(high - low, Math.abs(high) * 0.02) || 1, 8)[1] ?? 1;
  return [Math.floor(low / step) * step, Math.ceil(high / step) * step];
}

function strip(values: number[], [from, to]: [number, number], stroke: string): SVGElement {
  const x = scale(from, to, 4, STRIP - 4);
  const mean = values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
  const at = Math.round(x(mean)) + 0.5;
  const label = values.map((v) => num(v, 1)).join(", ");
  return s(
    "svg",
    { width: STRIP, height: 20, role: "img", "aria-label": label },
    s("line", { x1: 4, x2: STRIP - 4, y1: 10, y2: 10, class: "hair" }),
    ...values.map((v) => s("circle", { cx: x(v), cy: 10, r: 2.6, fill: stroke, opacity: 0.55 })),
    s("line", { x1: at, x2: at, y1: 4, y2: 16, stroke, "stroke-width": 1.5 }),
  );
}

const dim = (words: string): HTMLElement => h("span", { class: "dim" }, words);

function cellOf(
  cell: Cell | undefined,
  { digits }: Column,
  range: [number, number] | null,
  stroke: string,
): Child {
  switch (cell?.is) {
    case "text":
      return h(
        "span",
        { title: cell.title ?? null },
        cell.kind && swatch(cell.kind),
        ...sentence(cell.text),
      );
    case "number": {
      const { value, ci95, signed } = cell;
      const sign = signed && value > 0 && num(value, digits) !== num(0, digits) ? "+" : "";
      const interval = ci95 !== null && h("span", { class: "u" }, ` ± ${num(ci95, digits)}`);
      return h("span", {}, sign + num(value, digits), interval);
    }
    case "verdict": {
      const chip = h("span", { class: `verdict ${cell.tone}` }, cell.verdict);
      return h(
        "span",
        {},
        chip,
        cell.reason !== "" && h("span", { class: "dim" }, ` ${cell.reason}`),
      );
    }
    case "seeds":
      return range && strip(cell.values, range, stroke);
    case "unknown":
      return dim("?");
    default:
      return dim(NONE);
  }
}

const kindOf = (column: Column, i: number, seeds: boolean): string | null =>
  seeds ? "strip" : column.align === "left" && i > 0 ? "l" : null;

/** Whether a column has sentences: they are broken into lines, so that no column is cut off. */
function hasSentences(rows: Row[], column: number): boolean {
  return rows.some(({ cells }) => {
    const cell = cells[column];
    if (cell?.is === "verdict") return cell.reason.length > LINE;
    // What is said in full on a hover is short.
    return cell?.is === "text" && !cell.title && plain(cell.text).length > LINE;
  });
}

function headOf(column: Column, i: number, range: [number, number] | null): HTMLElement {
  const span = range ? `${num(range[0])} to ${num(range[1])}` : "";
  const unit = [span, column.unit].filter((words) => words !== "").join("; ");
  const words = headWords({ head: column.head, unit });
  return h("th", { scope: "col", class: kindOf(column, i, range !== null) }, words);
}

/** What opens the row: its line's sample, and where it leads. */
function first({ role, open }: Row, style: LineStyle | undefined, words: Child): Child {
  const inner = open === null ? words : h("a", { href: href(...open.split("/")) }, words);
  if (role === null || !style) return inner;
  return h("span", { class: "variant" }, sample(style), inner);
}

/** Without columns that say nothing in any row. */
function filled({ columns, rows }: Table): Table {
  const says = columns.map(
    (_, i) => i === 0 || rows.some((r) => (r.cells[i]?.is ?? "none") !== "none"),
  );
  const kept = <T>(all: T[]): T[] => all.filter((_, i) => says[i]);
  return { columns: kept(columns), rows: rows.map((r) => ({ ...r, cells: kept(r.cells) })) };
}

export function table(data: Table): HTMLElement {
  const { columns, rows } = filled(data);
  const ranges = columns.map((_, i) => rangeOf(rows, i));
  const variants = rows
    .filter((r) => r.role !== null)
    .map((r) => ({ role: r.role!, kind: r.kind ?? null }));
  const styles = apart(variants);
  const kinds = columns.map((column, i) => {
    const kind = kindOf(column, i, ranges[i] !== null);
    return hasSentences(rows, i) ? `${kind ?? ""} long` : kind;
  });
  let next = 0;
  const all = rows.map((row) => {
    const style = row.role === null ? undefined : styles[next++];
    const cells = columns.map((column, i) => {
      const cell = cellOf(row.cells[i], column, ranges[i]!, style?.stroke ?? "var(--ink2)");
      const shown = i === 0 ? first(row, style, cell) : cell;
      return h("td", { class: kinds[i] }, shown);
    });
    return h("tr", { class: row.role === "recommended" ? "pick" : null }, ...cells);
  });
  const shown = rows.map((r, i) => rows.length <= MOST || i < FIRST || r.role !== null);
  const body = h("tbody", {}, ...all.filter((_, i) => shown[i]));
  const heads = columns.map((column, i) => headOf(column, i, ranges[i]!));
  const style = `--columns:${columns.length}`;
  const whole = h("table", { style }, h("thead", {}, h("tr", {}, ...heads)), body);
  const rest = shown.filter((is) => !is).length;
  if (rest === 0) return h("div", { class: "scroll" }, whole);
  const more = h("button", { type: "button", class: "more-rows" }, `${num(rest)} more rows`);
  on(more, "click", () => {
    body.replaceChildren(...all);
    more.remove();
  });
  return h("div", { class: "scroll" }, whole, more);
}
