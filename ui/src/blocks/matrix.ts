/** Who leads and who follows: rows × columns; leaders filled, followers outlined, a dot on who
 * would lead; each row's sum as a bar. */
import { scale } from "../base/axis";
import { type Child, type Life } from "../base/dom";
import { figure, mark } from "../base/figure";
import { fit, fitName, width } from "../base/measure";
import { largest, num } from "../base/numbers";
import { circle, group, line, px, rect, right, svg, text, type Mark } from "../base/svg";
import { type Matrix, type MatrixCell } from "../page";

const HEAD = 20;
const SUM = 132;
const WIDE = 30;
const NARROW = 15;

interface Layout {
  left: number;
  /** Width of a cell and height of a row. */
  wide: number;
  high: number;
  ends: number;
}

const sumWords = (sum: number): string => num(sum, Number.isInteger(sum) ? 0 : 1);

const names = ({ rows }: Matrix): number =>
  Math.min(
    180,
    largest(
      rows.map((r) => width(r.name)),
      60,
    ) + 14,
  );

/** Pixels that its cells need at their best width. */
export const matrixNeed = (data: Matrix): number => names(data) + WIDE * data.columns.length + SUM;

function layoutOf(data: Matrix, w: number): Layout {
  const { rows, columns } = data;
  const left = names(data);
  const wide = Math.max(4, Math.min(WIDE, (w - left - SUM) / Math.max(1, columns.length)));
  return { left, wide, high: rows.length > 40 ? 14 : 22, ends: left + wide * columns.length };
}

function cellMark({ column, part, suggested }: MatrixCell, y: number, made: Layout): Child[] {
  const { left, wide, high } = made;
  const size = Math.max(3, Math.min(wide - 2, high - 6, 16));
  const [cx, cy] = [left + (column + 0.5) * wide, y + high / 2];
  const box = [cx - size / 2, cy - size / 2] as const;
  const leads = part === "leader";
  return [
    leads
      ? rect(...box, size, size, { fill: "var(--ink)", rx: 2 })
      : rect(box[0] + 0.5, box[1] + 0.5, size - 1, size - 1, {
          fill: "none",
          stroke: "var(--ink3)",
          rx: 2,
        }),
    suggested &&
      circle(cx, cy, Math.max(1.5, size / 5), { fill: leads ? "var(--page)" : "var(--ink)" }),
  ];
}

function rowMark(data: Matrix, i: number, y: number, made: Layout, w: number, most: number): Mark {
  const { name, sum, strong } = data.rows[i]!;
  const { high, ends } = made;
  const cells = data.cells.filter((c) => c.row === i);
  const leads = cells.filter((c) => c.part === "leader");
  const from = ends + 20;
  const x = scale(0, most, from, Math.min(w - 34, from + SUM - 54));
  const base = y + high / 2 + 4;
  const node = group(
    {},
    rect(-4, y, w + 8, high - 1, { class: "hit", rx: 2 }),
    text(0, base, fitName(name, made.left - 10), strong ? "v" : "s"),
    ...cells.flatMap((c) => cellMark(c, y, made)),
    rect(from, y + high / 2 - 4, Math.max(sum > 0 ? 1.5 : 0, x(sum) - from), 8, {
      fill: strong ? "var(--ink)" : "var(--ink4)",
      rx: 1,
    }),
    right(Math.min(w, from + SUM - 20), base, sumWords(sum), strong ? "bb" : "v"),
  );
  const names = leads.map((c) => data.columns[c.column] ?? "?").slice(0, 8);
  const of = names.length > 0 ? `: ${names.join(", ")}${leads.length > 8 ? " …" : ""}` : "";
  const follows = `follows ${num(cells.length - leads.length)}`;
  const words = `leads ${num(leads.length)}${of}`;
  return mark(node, {
    id: `row-${i}`,
    label: `${name} ${words}; ${follows}`,
    tip: () => [name, words, follows],
  });
}

/** Names of columns where they find room, else numbers in round steps. */
function heads({ columns, column, sum }: Matrix, made: Layout, w: number): Child[] {
  const { left, wide, ends } = made;
  const longest = largest(columns.map((name) => width(name, "500 11.5px Inter")));
  const step = Math.max(1, Math.ceil((longest + 6) / Math.max(wide, 1)));
  const named = wide >= NARROW || longest > 0 ? step : 1;
  return [
    ...columns.flatMap((name, i) =>
      i % named === 0
        ? [text(left + (i + 0.5) * wide, 12, name, "h", { "text-anchor": "middle" })]
        : [],
    ),
    text(0, 12, fit(column, left - 18), "h"),
    right(Math.min(w, ends + SUM), 12, sum, "h"),
  ];
}

function draw(data: Matrix, w: number, label: string): SVGSVGElement {
  const made = layoutOf(data, w);
  const most = largest(
    data.rows.map((r) => r.sum),
    1e-9,
  );
  let y = HEAD;
  let group = "";
  const parts = data.rows.flatMap((row, i): Child[] => {
    const marks: Child[] = [];
    if (row.group !== group) {
      group = row.group;
      marks.push(line(0, px(y + 2), w, px(y + 2), { class: "hair" }), text(0, y + 17, group, "t"));
      y += 22;
    }
    marks.push(rowMark(data, i, y, made, w, most));
    y += made.high;
    return marks;
  });
  return svg(w, y + 4, label, ...heads(data, made, w), ...parts);
}

export function matrix(life: Life, host: HTMLElement, data: Matrix, label: string): void {
  figure(life, host, (w) => draw(data, w, label));
}
