/** A long list: a field and choices above it, sorted by its heads; all of that in the URL. */
import { h, on, type Child, type Life } from "../base/dom";
import { fit, fitKey } from "../base/measure";
import { NONE } from "../base/numbers";
import { href, pick, picked } from "../base/selection";
import { rowsTable, type RowColumn } from "../parts/rows";
import { swatch } from "../parts/spans";
import { type Entry, type List, type ListColumn } from "../page";

type Row = Entry[];

/** What a choice compares, and what it is called. */
const chosen = (entry: Entry | undefined, kinds: boolean): string =>
  (kinds ? entry?.kind : (entry?.full ?? entry?.t)) ?? "";

/** A field for each column that has a choice, where there are two to choose from. */
function select({ rows }: List, column: ListColumn, place: number): HTMLElement | null {
  if (column.choose === null) return null;
  const { id, label, kinds } = column.choose;
  const times = new Map<string, number>();
  for (const row of rows) {
    const value = chosen(row[place], kinds);
    if (value !== "") times.set(value, (times.get(value) ?? 0) + 1);
  }
  if (times.size < 2) return null;
  const now = picked(id);
  const most = [...times].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const node = h(
    "select",
    {},
    h("option", { value: "" }, "anything"),
    ...most.map((value) => h("option", { value, selected: value === now }, value)),
  );
  on(node, "change", () => pick({ [id]: node.value }));
  return h("label", {}, `${label} `, node);
}

function tools(data: List): HTMLElement | null {
  const selects = data.columns
    .map((column, i) => select(data, column, i))
    .filter((s) => s !== null);
  if (data.find === "" && selects.length === 0) return null;
  const field = h("input", { type: "search", placeholder: data.find, value: picked("q") ?? "" });
  on(field, "input", () => pick({ q: field.value }, true));
  const words = data.find !== "" && h("label", {}, "Filter ", field);
  return h("div", { class: "tools" }, words, ...selects);
}

const has = (row: Row, words: string): boolean =>
  row.some(({ t, full }) => (full ?? t).toLowerCase().includes(words));

/** What the address keeps of the rows. */
function kept({ columns, rows, find }: List): Row[] {
  const words = find === "" ? "" : (picked("q") ?? "").toLowerCase();
  const wanted = columns.flatMap(({ choose }, i) => {
    const value = choose && picked(choose.id);
    return choose && value ? [{ i, kinds: choose.kinds, value }] : [];
  });
  return rows.filter(
    (row) =>
      (words === "" || has(row, words)) &&
      wanted.every(({ i, kinds, value }) => chosen(row[i], kinds) === value),
  );
}

/** For words [px]; a key that is longer loses its first parts. */
const room = (): number => (innerWidth < 1600 ? 268 : 420);

function cell(entry: Entry | undefined): Child {
  if (!entry || entry.t === NONE) return h("span", { class: "dim" }, NONE);
  const { t, more, full, kind, open } = entry;
  const words =
    kind === "setting"
      ? h("code", { class: "k" }, fitKey(t, room()))
      : fit(t, room(), "400 13px Inter");
  return h(
    "span",
    { title: full ?? null },
    kind && swatch(kind),
    open === undefined ? words : h("a", { href: href(...open.split("/")) }, words),
    more ? h("span", { class: "dim" }, ` ${more}`) : null,
  );
}

function columnOf(column: ListColumn, i: number): RowColumn<Row> {
  const { id, head, align, down, code } = column;
  return {
    ...{ id, head, down, left: align === "left" },
    sort: (row) => row[i]?.by ?? row[i]?.t ?? "",
    cell: (row) => (code ? h("code", {}, row[i]?.t ?? "") : cell(row[i])),
  };
}

export function list(life: Life, host: HTMLElement, data: List): void {
  const above = tools(data);
  if (above) host.before(above);
  rowsTable(life, host, {
    columns: data.columns.map(columnOf),
    rows: () => kept(data),
    all: data.rows.length,
    many: data.many,
    first: data.first,
  });
}
