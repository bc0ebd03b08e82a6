/** A long table: sorted by its heads, cut after some hundred rows, its state in the URL. */
import { h, on, type Child, type Life } from "../base/dom";
import { num } from "../base/numbers";
import { pick, picked, place } from "../base/selection";

export interface RowColumn<R> {
  /** Names the column in the URL. */
  id: string;
  head: string;
  sort: (row: R) => number | string;
  cell: (row: R) => Child;
  left?: boolean;
  /** The first click sorts down. */
  down?: boolean;
}

export interface RowsOptions<R> {
  columns: RowColumn<R>[];
  /** Filtered by the present selection. */
  rows: () => R[];
  /** How many there are without a filter. */
  all: number;
  /** What rows are called. */
  many: string;
  /** The column that sorts at first. */
  first: string;
}

const STEP = 300;

export function sorted<R>(rows: R[], by: (row: R) => number | string, down: boolean): R[] {
  const way = down ? -1 : 1;
  return rows
    .map((row, i) => ({ row, i, key: by(row) }))
    .sort((a, b) => (a.key < b.key ? -way : a.key > b.key ? way : a.i - b.i))
    .map(({ row }) => row);
}

/** "sort=end-": by end, down. */
function order<R>({ columns, first }: RowsOptions<R>): { column: RowColumn<R>; down: boolean } {
  const words = picked("sort");
  const id = words?.replace(/-$/, "") ?? first;
  const column =
    columns.find((c) => c.id === id) ?? columns.find((c) => c.id === first) ?? columns[0]!;
  return { column, down: words ? words.endsWith("-") : (column.down ?? false) };
}

function head<R>(column: RowColumn<R>, now: { column: RowColumn<R>; down: boolean }): HTMLElement {
  const mine = column === now.column;
  const arrow = mine ? (now.down ? "\u00a0↓" : "\u00a0↑") : "";
  const button = h("button", { type: "button", "data-sort": column.id }, column.head + arrow);
  on(button, "click", () => {
    const down = mine ? !now.down : (column.down ?? false);
    pick({ sort: column.id + (down ? "-" : "") }, true);
  });
  const state = mine ? (now.down ? "descending" : "ascending") : null;
  return h("th", { scope: "col", class: column.left ? "l" : null, "aria-sort": state }, button);
}

export function rowsTable<R>(life: Life, host: HTMLElement, options: RowsOptions<R>): void {
  const { columns, many, all } = options;
  const heads = h("tr");
  const body = h("tbody", { class: "rows" });
  const count = h("p", { class: "note", "aria-live": "polite" });
  const more = h("button", { type: "button", class: "more-rows" }, `Show ${STEP} more`);
  let shown = STEP;
  const paint = () => {
    const focus = (document.activeElement as HTMLElement | null)?.dataset["sort"];
    const now = order(options);
    const rows = sorted(options.rows(), now.column.sort, now.down);
    heads.replaceChildren(...columns.map((c) => head(c, now)));
    body.replaceChildren(
      ...rows
        .slice(0, shown)
        .map((row) =>
          h("tr", {}, ...columns.map((c) => h("td", { class: c.left ? "l" : null }, c.cell(row)))),
        ),
    );
    const cut = rows.length > shown;
    count.hidden = rows.length === all && !cut;
    const seen = `${num(Math.min(shown, rows.length))} of ${num(all)} ${many} shown.`;
    count.textContent = rows.length === 0 ? `No ${many} with this filter.` : seen;
    more.hidden = !cut;
    if (focus) heads.querySelector<HTMLElement>(`[data-sort="${focus}"]`)?.focus();
  };
  on(more, "click", () => {
    shown += STEP;
    paint();
  });
  place.on(life, () => {
    shown = STEP;
    paint();
  });
  host.append(
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, heads), body)),
    count,
    more,
  );
  paint();
}
