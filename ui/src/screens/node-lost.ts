/** The first screen: a DataNode is lost. */
import { h, type Child, type Life } from "../base/dom";
import { nodeHref, rackHref } from "../base/drill";
import { duration, each, num } from "../base/numbers";
import { pickedNumber, type Place } from "../base/selection";
import { assumed } from "../parts/assumed";
import { balance } from "../parts/balance";
import { curves } from "../parts/curves";
import { type Line } from "../parts/lines";
import { heatKey, heatmap } from "../parts/heatmap";
import { latencies } from "../parts/latency";
import { ownFigures, ownTable, ownTime, said } from "../parts/own";
import { provenance } from "../parts/provenance";
import { drawable, lineStyles } from "../parts/sample";
import { blank, section } from "../parts/section";
import { shares } from "../parts/shares";
import { sentence } from "../parts/spans";
import { compareTable } from "../parts/table";
import { top } from "../parts/top";
import { tradeChart, tradeKey } from "../parts/trade";
import { points, verdict } from "../parts/verdict";
import { zoomTag } from "../parts/zoomed";
import { type HeatRow, type Report, type Share, type Variant } from "../report";
import { type Screen } from "./screen";
import { limitKinds } from "./transfers-table";

const FIGURE = 296;
/** So many distributions find room beside each other. */
const BALANCE_ROWS = 6;

/** The selected cause's intervals, as spans of time. */
function pickedSpans({ variants }: Report): [number, number][] {
  const share = variants[0]?.shares[pickedNumber("cause") ?? -1];
  const spans = (share?.intervals ?? []).map((v): [number, number] => [v.start_s, v.end_s]);
  if (spans.length === 0) return [];
  return [[Math.min(...spans.map((v) => v[0])), Math.max(...spans.map((v) => v[1]))]];
}

/** On a wide page three small pictures make a row; four, with the clients, two rows of two, unless
 * a plan's chart takes the place of two more. */
const wide = ({ foreground, trade }: Report): string => (foreground && !trade ? "w6" : "w4");

function lineOf(variant: Variant, style: Line["style"]): Line {
  const { name, at_risk, recovery_s, seeds, role } = variant;
  const left = at_risk.median.at(-1) ?? 0;
  const finish_s = recovery_s?.mean ?? null;
  const line: Line = {
    name,
    style,
    step_s: at_risk.step_s,
    values: at_risk.median,
    finish_s,
    value: finish_s === null ? `${num(left)} left` : duration(finish_s),
  };
  if (role === "now" && seeds > 1) line.band = { low: at_risk.min, high: at_risk.max };
  return line;
}

function risk({ report, life }: Screen): HTMLElement {
  const { variants, chart_tags, risk_note, since } = report;
  const seeds = variants[0]?.seeds ?? 0;
  const shown = drawable(variants);
  const styles = lineStyles(variants);
  const cut =
    shown.length < variants.length ? [`${shown.length} of ${variants.length} variants drawn`] : [];
  const spread = seeds > 1 ? `; median of ${seeds} seeds, band: min to max` : "; one seed";
  const { root, fig } = section({
    part: "risk",
    title: leaves(report) ? "Blocks to be copied" : "Blocks at risk",
    qualifier: `${since}${spread}`,
    class: `c7 ${wide(report)}`,
    tags: [...(chart_tags?.risk ?? []), ...cut],
    control: zoomTag(life),
  });
  const lines = shown
    .map((i) => lineOf(variants[i]!, styles[i]!))
    .filter((l) => l.values.length > 0);
  const peak = Math.max(0, ...lines.flatMap((l) => l.values.slice(0, 4)));
  if (lines.length === 0)
    fig.append(
      blank(
        "No curve of blocks at risk in this report.",
        "The run ended before HDFS noticed. Set a later [run] until.",
      ),
    );
  else if (peak === 0)
    fig.append(
      blank(risk_note ?? (leaves(report) ? "Nothing needs copying." : "No block was at risk.")),
    );
  else
    curves(life, fig, {
      label: "Blocks at risk over time",
      height: FIGURE,
      lines,
      note: risk_note,
      bands: () => pickedSpans(report),
    });
  return root;
}

/** Nodes are emptied, none is lost: what they hold can still be read. */
const leaves = ({ crumbs }: Report): boolean =>
  crumbs[1] === "decommission" || crumbs[1] === "maintenance";

/** The transfers behind a share, where the drill-down knows them: by what held the queue, or by the
 * kind of what limited the copy. */
function transfersOf({ drill }: Report, { kind, name }: Share): Place | null {
  const cause = drill.causes.findIndex((c) => c.name === name);
  const path = ["transfers"];
  if (drill.transfers.held?.includes(cause)) return { path, picks: { held: String(cause) } };
  const known = kind !== "setting" && limitKinds(drill).includes(kind);
  return known ? { path, picks: { limit: kind } } : null;
}

function held({ report, life }: Screen): HTMLElement {
  const all = report.variants[0]?.shares ?? [];
  const { root, fig } = section({
    part: "shares",
    title: "What held it up",
    qualifier: "the last block’s wait, now; click a bar for its intervals",
    class: `c5 ${wide(report)}`,
    tags: report.chart_tags?.shares ?? [],
  });
  const nothing = "Nothing was waited for: no block had to be copied.";
  if (all.length === 0) fig.append(blank(report.risk_note ?? nothing));
  else
    shares(life, fig, {
      label: "Shares of the wait",
      height: FIGURE,
      shares: all,
      all: (share) => transfersOf(report, share),
    });
  return root;
}

/** What the first seed of *now* took; null where some seed is not safe, so that it is not known. */
function safeAt({ variants }: Report): number | null {
  const now = variants[0];
  return now && now.per_seed_s.length === now.seeds ? (now.per_seed_s[0] ?? null) : null;
}

function clients({ report, life }: Screen): HTMLElement | null {
  const { foreground, since, drill } = report;
  if (!foreground) return null;
  const { root, fig } = section({
    part: "clients",
    title: "Clients",
    qualifier: `what their requests took, ${each(foreground.step_s)}; ${since}; ${drill.of}`,
    class: `c7 ${wide(report)} lat`,
    control: zoomTag(life, -Infinity),
  });
  if (foreground.points.length === 0)
    fig.append(blank("No request of a client ended.", "Begin them earlier: foreground.start."));
  else
    latencies(life, fig, {
      label: "Clients’ latencies over time",
      height: FIGURE,
      data: foreground,
      start: since.replace(/^since /, ""),
      safe_s: safeAt(report),
    });
  if (foreground.note.length > 0)
    root.append(h("p", { class: "note" }, ...sentence(foreground.note)));
  return root;
}

function trade({ report, life }: Screen): HTMLElement | null {
  const { trade, foreground, variants } = report;
  if (!trade) return null;
  const seeds = variants[0]?.seeds ?? 0;
  const spread = seeds > 1 ? `; mean of ${num(seeds)} seeds, bars: 95\u00a0%` : "; one seed";
  const { root, fig } = section({
    part: "trade",
    title: "What the repair costs clients",
    qualifier: `rebuild time against clients’ latency${spread}`,
    class: foreground ? "c12 w8" : "c12 w12",
    key: trade.points.length > 0 ? tradeKey(trade) : null,
  });
  if (trade.points.length === 0)
    fig.append(blank("No settings were tried to their end with clients."));
  else
    tradeChart(life, fig, {
      label: "Rebuild time against clients’ 99th percentile",
      height: FIGURE,
      trade,
    });
  return root;
}

const go = (address: string) => () => {
  location.hash = address;
};

/** A rack's row opens the rack, a resource's row its node. */
function openRow({ drill }: Report, row: HeatRow): (() => void) | null {
  const resource = row.resource === null ? null : drill.resources[row.resource];
  if (resource?.node != null) return go(nodeHref(drill, resource.node));
  const rack = row.rack ?? resource?.rack ?? null;
  return rack === null ? null : go(rackHref(drill, rack));
}

function heat({ report, life }: Screen): HTMLElement {
  const { groups, of, cell_s } = report.heat;
  const kinds = (["disk", "network"] as const).filter((k) =>
    groups.some((g) => g.rows.some((r) => r.kind === k)),
  );
  const unknown = groups.every((g) => g.rows.length === 0);
  const empty = groups.every((g) => g.rows.every((row) => row.cells.every((busy) => busy === 0)));
  const { root, fig } = section({
    part: "heat",
    title: "Busy",
    qualifier: of,
    class: report.foreground ? "c12 w12 heat" : "c8 w12 heat",
    tags: report.chart_tags?.heat ?? [],
    control: zoomTag(life),
    key: empty ? null : heatKey(kinds),
  });
  if (unknown)
    fig.append(
      blank(
        "What disks and links did is not known: logs do not tell it, or the run kept no series.",
      ),
    );
  else if (empty) fig.append(blank("No disk and no link carried a copy."));
  else {
    heatmap(life, fig, {
      label: "Busy share of resources over time",
      groups,
      cell_s,
      open: (row) => openRow(report, row),
      bands: () => pickedSpans(report),
    });
  }
  return root;
}

function balanceOf({ report, life }: Screen): HTMLElement {
  const { variants, drill, marked_nodes, balance_note, chart_tags } = report;
  const shown = drawable(variants, BALANCE_ROWS).map((i) => variants[i]!);
  const live = shown[0]?.balance.receive.filter((v) => v !== null).length ?? 0;
  const cut =
    shown.length < variants.length ? [`${shown.length} of ${variants.length} variants`] : [];
  const { root, fig } = section({
    part: "balance",
    title: "Balance",
    qualifier:
      live > 200 ? "one seed; nodes by load; dots: the top 5" : "a dot is a node; one seed",
    class: report.foreground ? `c5 ${wide(report)} bal beside` : "c4 w4 bal",
    tags: [...(chart_tags?.balance ?? []), ...cut],
  });
  const copied = shown.some((v) => v.balance.receive_mean_bytes > 0);
  if (live === 0 || !copied) {
    fig.append(blank("No live node sent or received a block."));
    return root;
  }
  const now = shown[0]!.balance;
  balance(life, fig, {
    panels: [
      {
        title: "Sent",
        mean_bytes: now.send_mean_bytes,
        rows: shown.map((v) => ({ name: v.name, loads: v.balance.send })),
      },
      {
        title: "Received",
        mean_bytes: now.receive_mean_bytes,
        rows: shown.map((v) => ({ name: v.name, loads: v.balance.receive })),
      },
    ],
    nodes: drill.nodes.map((n) => n.name),
    open: (node) => go(nodeHref(drill, node)),
    marked: new Set(marked_nodes),
  });
  if (balance_note.length > 0) {
    const dot = marked_nodes.length > 0 && h("i", { class: "dot" });
    root.append(h("p", { class: "note" }, dot, ...sentence(balance_note)));
  }
  return root;
}

function compare({ report }: Screen): HTMLElement {
  const { variants, compare_note, chart_tags } = report;
  const seeds = variants[0]?.seeds ?? 0;
  const chance = variants.length > 1 ? ", differences may be chance" : "";
  const single = `1 seed: no interval${chance}`;
  const many = seeds > 1 ? `${seeds} seeds, same fate for all (paired)` : single;
  const { root, fig } = section({
    part: "compare",
    title: "Compare",
    qualifier: `${variants.length} ${variants.length === 1 ? "variant" : "variants"} × ${many}`,
    class: "c12 w12 cmp",
    tags: chart_tags?.compare ?? [],
  });
  fig.replaceWith(h("div", { class: "scroll" }, compareTable(variants)));
  if (variants.length === 1 && compare_note.length === 0)
    root.append(
      blank(
        "Only the present settings were run.",
        "Name others under [compare], or add --vary KEY=A,B.",
      ),
    );
  if (compare_note.length > 0) root.append(h("p", { class: "note" }, ...sentence(compare_note)));
  return root;
}

/** Of the program, not of the cluster: what its threads did. */
function own({ report, life }: Screen): HTMLElement | null {
  const { parallel } = report;
  if (!parallel) return null;
  const { root, fig } = section({
    part: "own",
    title: "Where this run’s own time went",
    qualifier: "wall-clock time of the simulation’s threads",
    class: "c12 w12 own",
  });
  fig.before(said(parallel), ownFigures(parallel));
  if (parallel.threads.length === 0) fig.append(blank("No thread told where its time went."));
  else {
    ownTime(life, fig, { label: "Wall-clock time by thread", parallel });
    root.append(ownTable(parallel));
  }
  return root;
}

export function nodeLost(screen: Screen): Child[] {
  const { report, life }: { report: Report; life: Life } = screen;
  return [
    ...top(report),
    h(
      "div",
      { class: "row first" },
      verdict(report),
      points(report),
      assumed(life, report.assumed),
    ),
    h(
      "div",
      { class: "row" },
      trade(screen),
      risk(screen),
      held(screen),
      clients(screen),
      heat(screen),
      balanceOf(screen),
      compare(screen),
      own(screen),
    ),
    provenance(report),
  ];
}
