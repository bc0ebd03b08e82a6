/** A section of a page: the shell, and which part draws it. */
import { h, type Child, type Life } from "../base/dom";
import { capital } from "../base/numbers";
import { rampOf } from "../parts/cells";
import { heatKey, heatmap } from "../parts/heatmap";
import { blank, section } from "../parts/section";
import { sentence } from "../parts/spans";
import { zoomTag } from "../parts/zoomed";
import { type Axis, type Body, type Heat, type Section } from "../page";
import { balance } from "./balance";
import { claims } from "./claims";
import { curves } from "./curves";
import { gantt, ganttKey, selectedSpan } from "./gantt";
import { titled } from "./layout";
import { latency } from "./latency";
import { list } from "./list";
import { matrix } from "./matrix";
import { criticalPath } from "./path";
import { scatter } from "./scatter";
import { pickedShare, shares } from "./shares";
import { table } from "./table";
import { threads } from "./threads";
import { tradeChart, tradeKey } from "./trade";
import { isTime } from "./units";

/** Figures side by side are of one height. */
const FIGURE = 296;

const WIDTHS = { third: 4, smaller: 5, half: 6, larger: 7, most: 8, full: 12 } as const;

/** What a selection stands for in all charts over time: the intervals behind a bar, a row's run. */
export function spansOf(sections: Section[]): [number, number][] {
  return sections.flatMap((s): [number, number][] => {
    if (s.kind === "gantt") {
      const span = selectedSpan(s, s.id);
      return span ? [span] : [];
    }
    if (s.kind !== "shares") return [];
    const behind = s.rows[pickedShare(s.id) ?? -1]?.intervals ?? [];
    if (behind.length === 0) return [];
    const starts = behind.map((v) => v.start_s);
    return [[Math.min(...starts), Math.max(...behind.map((v) => v.end_s))]];
  });
}

const timeOf = (body: Body): Axis | null =>
  "x" in body && body.kind !== "scatter" && body.kind !== "trade" && isTime(body.x) ? body.x : null;

/** Why there is nothing, where the data does not say it. */
const NOTHING: Partial<Record<Body["kind"], string>> = {
  curves: "No curve was kept.",
  shares: "No operation had to wait.",
  path: "No step is known.",
  heat: "No utilisation was kept.",
  gantt: "No task ran.",
  balance: "No node took part in this.",
  latency: "No request ended.",
  scatter: "Nothing was measured.",
  trade: "No run with other settings ended.",
  threads: "No thread reported its times.",
  table: "No rows.",
  list: "No rows.",
  matrix: "No server leads a group.",
  claims: "No claim was judged.",
};

function isEmpty(body: Body): boolean {
  switch (body.kind) {
    case "curves":
      return body.panels.every((p) => p.lines.every((l) => l.x.length === 0));
    case "shares":
    case "table":
    case "list":
    case "matrix":
      return body.rows.length === 0;
    case "path":
      return body.steps.length === 0;
    case "heat":
    case "gantt":
      return body.groups.every((g) => g.rows.length === 0);
    case "balance":
      return body.panels.every((p) => p.rows.every((r) => r.loads.every((v) => v === null)));
    case "latency":
      return body.series.every((d) => d.at.length === 0);
    case "scatter":
      return body.series.every((of) => of.points.length === 0);
    case "trade":
      return body.points.length === 0;
    case "threads":
      return body.threads.length === 0;
    case "claims":
      return body.claims.length === 0;
    case "note":
      return false;
  }
}

function heat(life: Life, fig: HTMLElement, data: Heat, label: string, bands: Bands): void {
  const { groups, cell, x, moments, word } = data;
  heatmap(life, fig, { label, groups, cell_s: cell, from: x.from, moments, word, bands });
}

type Bands = () => [number, number][];

function draw(life: Life, fig: HTMLElement, data: Section, bands: Bands): void {
  const { title: label, id } = data;
  switch (data.kind) {
    case "curves":
      return curves(life, fig, data, { label, height: FIGURE, bands });
    case "shares":
      return shares(life, fig, data, { label, height: FIGURE, id });
    case "path":
      return criticalPath(life, fig, data, label);
    case "heat":
      return heat(life, fig, data, label, bands);
    case "gantt":
      return gantt(life, fig, data, { label, id, bands });
    case "balance":
      return balance(life, fig, data, label, data.width === "full" ? 0 : FIGURE);
    case "latency":
      return latency(life, fig, data, label, FIGURE);
    case "scatter":
      return scatter(life, fig, data, label, FIGURE);
    case "matrix":
      return matrix(life, fig, data, label);
    case "trade":
      return tradeChart(life, fig, { label, height: FIGURE, trade: data });
    case "threads":
      return threads(life, fig, data);
    case "list":
      return list(life, fig, data);
    case "table":
      return fig.replaceWith(table(data));
    case "claims":
      return fig.replaceWith(claims(life, data));
    case "note":
      return fig.remove();
  }
}

function keyOf(data: Section): Child {
  if (data.kind === "gantt") return ganttKey(data);
  if (data.kind === "trade") return tradeKey(data);
  if (data.kind !== "heat") return null;
  const kinds = new Set(data.groups.flatMap((g) => g.rows.map((r) => rampOf(r.kind))));
  return heatKey([...kinds]);
}

/** Below a balance: what the filled dots are. */
function marked(data: Section): Child {
  if (data.kind !== "balance" || data.marked.length === 0 || data.marked_note === "") return null;
  return h("p", { class: "note" }, h("i", { class: "dot" }), data.marked_note);
}

/** A section, its figure drawn. On a wide page `wide` is its class. */
export function block(life: Life, data: Section, bands: Bands, wide = ""): HTMLElement {
  const time = timeOf(data);
  const widely = data.wide === undefined ? wide : `w${WIDTHS[data.wide]}`;
  const nothing =
    data.empty ?? (isEmpty(data) ? { why: NOTHING[data.kind] ?? "", fill: "" } : null);
  // It stands below where it has no room.
  const long = !titled(data);
  const { root, fig } = section({
    part: data.id,
    title: data.title,
    qualifier: long ? "" : data.qualifier,
    class: `c${WIDTHS[data.width]} ${widely} block`.replace("  ", " "),
    tags: data.tags,
    ...(time && !nothing ? { control: zoomTag(life, time.from) } : {}),
    key: nothing ? null : keyOf(data),
  });
  root.dataset["kind"] = data.kind;
  if (nothing) fig.append(blank(nothing.why, nothing.fill));
  else draw(life, fig, data, bands);
  if (long) root.append(h("p", { class: "note" }, `${capital(data.qualifier)}.`));
  const below = nothing ? null : marked(data);
  if (below instanceof Node) root.append(below);
  if (data.note.length > 0) {
    const dots = data.kind === "balance" && data.marked.length > 0 && data.marked_note === "";
    const dot = dots && !nothing && h("i", { class: "dot" });
    root.append(h("p", { class: "note" }, dot, ...sentence(data.note)));
  }
  return root;
}
