/** A node: its transfers as a Gantt above its NIC's and disks' curves, on one time axis. */
import { h, type Child } from "../base/dom";
import {
  allTransfers,
  blockName,
  cellCount,
  diskName,
  heldBy,
  nodeName,
  shortNode,
  resources,
  useOf,
  withCurves,
  type Transfer,
} from "../base/drill";
import { find } from "../base/find";
import { fitKey } from "../base/measure";
import {
  bytes,
  count,
  duration,
  each,
  largest,
  mean,
  NB,
  num,
  pct,
  rate,
  sec,
} from "../base/numbers";
import { pick, pickedNumber } from "../base/selection";
import { gantt, type GanttGroup, type GanttRow, type Wait } from "../parts/gantt";
import { multiples, type Panel } from "../parts/multiples";
import { blank, section } from "../parts/section";
import { zoomTag } from "../parts/zoomed";
import { type Drill } from "../report";
import { below, nodeLink, nowhere, rackLink, type Screen } from "./screen";

/** The same edges for the Gantt and the curves. */
const LEFT = 132;
const RIGHT = 220;
/** So many panels; a node rarely has more disks. */
const PANELS = 16;

const COLUMNS = [
  { head: "took, s", at: 48 },
  { head: "MB", at: 0 },
  { head: "other end", at: RIGHT - 14, room: 112 },
];

function waitsOf(drill: Drill, t: Transfer): Wait[] {
  const kind = heldBy(drill, t)?.kind ?? "wait";
  const queue: Wait = { from: 0, to: t.decided_s, kind };
  return [queue, { from: t.decided_s, to: t.start_s, kind: "wait" }];
}

function rowOf(drill: Drill, t: Transfer, sends: boolean): GanttRow {
  const cause = drill.causes[t.cause];
  const selected = pickedNumber("x") === t.i;
  const other = shortNode(drill, sends ? t.target : t.source);
  const disks = [t.source_disk, t.target_disk];
  const [here = "", there = ""] = (sends ? disks : disks.reverse()).map(diskName);
  const end = `${sends ? "to" : "from"} ${other} ${there}`.trim();
  const way = here === "" ? end : `${here} here, ${end}`;
  const held = heldBy(drill, t);
  const queued = `Queued ${duration(t.decided_s)}${held ? ` for ${fitKey(held.name, 220)}` : ""}`;
  const limit = cause && cause.kind !== "unexplained" ? `, limited by ${cause.name}` : "";
  return {
    id: `t${t.i}`,
    label: blockName(t.block),
    waits: waitsOf(drill, t),
    from: t.start_s,
    to: t.end_s,
    kind: cause?.kind ?? null,
    selected,
    values: [num(t.end_s - t.start_s, 2), num(t.bytes / 1e6), other],
    tip: [
      `${blockName(t.block)}: ${num(t.start_s, 1)}–${sec(t.end_s)}`,
      way + limit,
      `${queued}, handed out after ${duration(t.start_s - t.decided_s)}`,
    ],
    open: () => pick({ x: selected ? null : String(t.i) }),
  };
}

function groupsOf(drill: Drill, sends: Transfer[], receives: Transfer[]): GanttGroup[] {
  const group = (title: string, list: Transfer[], out: boolean): GanttGroup => ({
    title,
    note: `${count(list.length, "block")}, ${bytes(list.reduce((a, t) => a + t.bytes, 0))}`,
    rows: [...list].sort((a, b) => a.start_s - b.start_s).map((t) => rowOf(drill, t, out)),
  });
  return [group("Sends", sends, true), group("Receives", receives, false)].filter(
    (g) => g.rows.length > 0,
  );
}

/** "never above 20 %", or when it was full. */
export function reading(values: number[], cell_s: number): string {
  const top = largest(values);
  if (top < 0.995) return `never above ${pct(top)}`;
  const full = values.filter((v) => v >= 0.995).length;
  return `full for ${duration(full * cell_s, cell_s < 1 ? 1 : 0)}`;
}

function panelsOf(drill: Drill, node: number): Panel[] {
  const mine = withCurves(
    drill,
    resources(drill, (r) => r.node === node),
  );
  const order = (i: number) => (drill.resources[i]!.kind === "network" ? 0 : 1);
  mine.sort((a, b) => order(a) - order(b) || a - b);
  return mine.map((i) => {
    const { name, kind, capacity } = drill.resources[i]!;
    const cells = useOf(drill, i);
    const short = name.replace(nodeName(drill, node), "").trim() || name;
    return {
      name: short.charAt(0).toUpperCase() + short.slice(1),
      unit: `%${NB}of ${rate(capacity)}`,
      kind,
      values: cells.map((v) => v * 100),
      step_s: drill.cell_s,
      top: 100,
      show: (v) => `${num(v)}${NB}%`,
      reading: `${reading(cells, drill.cell_s)}, mean ${pct(mean(cells))}`,
    };
  });
}

const legend = (): HTMLElement => {
  const part = (style: string, words: string) => h("span", {}, h("i", { style }), words);
  return h(
    "span",
    { class: "legend" },
    part("height:2px;background:var(--setting)", "queued, held by a setting"),
    part("height:3px;background:var(--wait)", "handed out, or cause unknown"),
    part(
      "height:10px;background:var(--done);border:1px solid var(--ink3);vertical-align:-1px",
      "copying, in the hue of its limit",
    ),
  );
};

function transfers(
  { report, life }: Screen,
  mine: Transfer[],
  node: number,
  end: number,
  bands: () => [number, number][],
): HTMLElement {
  const { drill } = report;
  const { root, fig } = section({
    part: "gantt",
    title: "Transfers",
    qualifier: "one line each, by start",
    control: zoomTag(life),
    key: mine.length > 0 && legend(),
  });
  if (mine.length === 0) {
    fig.append(blank("This node neither sent nor received a block in this run."));
    return root;
  }
  const [sends, receives] = [
    mine.filter((t) => t.source === node),
    mine.filter((t) => t.target === node),
  ];
  gantt(life, fig, {
    label: `Transfers of ${nodeName(drill, node)}`,
    groups: () => groupsOf(drill, sends, receives),
    columns: COLUMNS,
    end,
    left: LEFT,
    right: RIGHT,
    bands,
  });
  return root;
}

function curves(
  { report, life }: Screen,
  node: number,
  end: number,
  bands: () => [number, number][],
): HTMLElement {
  const { drill } = report;
  const all = panelsOf(drill, node);
  const panels = all.slice(0, PANELS);
  const cut = panels.length < all.length ? [`${panels.length} of ${all.length} shown`] : [];
  const { root, fig } = section({
    part: "multiples",
    title: "Its NIC and disks",
    qualifier: `${each(drill.cell_s)}; idle ones are left out`,
    tags: [...(report.chart_tags?.drill ?? []), ...cut],
  });
  if (panels.length === 0)
    fig.append(
      blank(
        "No curves of this node: it was idle, or its resources were left out.",
        "The file keeps all curves up to 2 000 resources, beyond that the hottest only.",
      ),
    );
  else
    multiples(life, fig, {
      label: `NIC and disks of ${nodeName(drill, node)} over time`,
      panels,
      end,
      left: LEFT,
      right: RIGHT,
      bands,
    });
  return root;
}

export function nodeScreen(screen: Screen): Child[] {
  const { report, argument } = screen;
  const { drill } = report;
  const found = find(
    drill.nodes.map((n) => n.name),
    argument,
  );
  if ("near" in found) {
    const near = found.near.map((place) => nodeLink(drill, place));
    return nowhere(report, `node ${argument}`, near);
  }
  const i = found.at;
  const node = drill.nodes[i]!;
  const mine = allTransfers(drill).filter((t) => t.source === i || t.target === i);
  const end = Math.max(
    largest(drill.transfers.end_s),
    cellCount(drill) * drill.cell_s,
    drill.cell_s,
  );
  const bands = (): [number, number][] => {
    const t = mine.find((m) => m.i === pickedNumber("x"));
    return t ? [[t.start_s, t.end_s]] : [];
  };
  const disks = resources(drill, (r) => r.node === i && r.kind === "disk").length;
  const facts: Child[] = [
    h("b", {}, node.alive ? "live" : "lost"),
    rackLink(drill, node.rack),
    count(disks, "disk"),
    drill.of,
  ];
  const words = node.alive
    ? [
        `${node.name} sent ${bytes(node.sent_bytes)} and received `,
        h("b", {}, bytes(node.received_bytes)),
        ".",
      ]
    : [`${node.name} is the lost node: it neither sends nor receives.`];
  const body = [transfers(screen, mine, i, end, bands), curves(screen, i, end, bands)];
  return below(report, node.name, facts, words, body);
}
