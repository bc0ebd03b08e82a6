/** A node: its transfers as a Gantt above its resources' curves, on one time axis. */
import { bytes, count, each, largest, mean, NB, num, pct, rate, span } from "../base/numbers";
import {
  type Axis,
  type Bar,
  type Below,
  type Fleet,
  type GanttGroup,
  type GanttRow,
  type Panel,
  type Section,
  type Span,
} from "../page";
import {
  allTransfers,
  blockName,
  cellCount,
  diskName,
  disksOf,
  hasCopies,
  hasStates,
  heldBy,
  nodeName,
  nodePath,
  rackName,
  rackPath,
  resourcesOf,
  shortNode,
  useOf,
  withCurves,
  type Transfer,
} from "./look";
import { sectionOf, without } from "./section";

/** So many panels; a node rarely has more disks. */
const PANELS = 16;

/** In the queue until it was decided, handed out, and copied in the hue of its limit. */
function barsOf(fleet: Fleet, t: Transfer): Bar[] {
  const held = heldBy(fleet, t)?.kind ?? "wait";
  const limit = fleet.causes[t.cause]?.kind ?? "unexplained";
  const hue = ["disk", "network", "cpu"].includes(limit) ? { kind: limit } : {};
  return [
    ...(t.decided_s > 0
      ? [{ from: 0, to: t.decided_s, style: held === "wait" ? "wait" : "held", kind: held } as Bar]
      : []),
    { from: t.decided_s, to: t.start_s, style: "wait", kind: "wait" },
    { from: t.start_s, to: t.end_s, style: "runs", ...hue },
  ];
}

/** Which disks, what limited it, what its block was queued for. */
function noteOf(fleet: Fleet, t: Transfer, sends: boolean): string {
  const other = shortNode(fleet, sends ? t.target : t.source);
  const disks = [t.source_disk, t.target_disk].map(diskName);
  const [here = "", there = ""] = sends ? disks : disks.reverse();
  const end = `${sends ? "to" : "from"} ${other} ${there}`.trim();
  const cause = fleet.causes[t.cause];
  const held = heldBy(fleet, t);
  return [
    here === "" ? end : `${here} here, ${end}`,
    cause && cause.kind !== "unexplained" && `limited by ${cause.name}`,
    held && `queued for ${held.name}`,
  ]
    .filter(Boolean)
    .join(", ");
}

const rowOf = (fleet: Fleet, t: Transfer, sends: boolean): GanttRow => ({
  name: blockName(t.block),
  bars: barsOf(fleet, t),
  values: [
    shortNode(fleet, sends ? t.target : t.source),
    num(t.end_s - t.start_s, 2),
    num(t.bytes / 1e6),
  ],
  strong: [1],
  note: noteOf(fleet, t, sends),
  open: nodePath(fleet, sends ? t.target : t.source),
});

function groupsOf(fleet: Fleet, node: number, mine: Transfer[]): GanttGroup[] {
  const group = (title: string, list: Transfer[], out: boolean): GanttGroup => ({
    title,
    note: `${count(list.length, "block")}, ${bytes(list.reduce((a, t) => a + t.bytes, 0))}`,
    rows: [...list].sort((a, b) => a.start_s - b.start_s).map((t) => rowOf(fleet, t, out)),
  });
  const sends = mine.filter((t) => t.source === node);
  const receives = mine.filter((t) => t.target === node);
  return [group("Sends", sends, true), group("Receives", receives, false)].filter(
    (g) => g.rows.length > 0,
  );
}

/** How long it was full, if it was, and its mean; the picture says how high it went. */
export function reading(values: number[], cell_s: number): string {
  const full = values.filter((v) => v >= 0.995).length;
  const words = full > 0 ? `full for ${span(full * cell_s, cell_s < 1 ? 1 : 0)}, ` : "";
  return `${words}mean ${pct(mean(values))}`;
}

/** A step curve: each value holds for its cell. */
export function stepPoints(values: number[], cell_s: number): { x: number[]; y: number[] } {
  const last = values.at(-1) ?? 0;
  return { x: [...values, 0].map((_, i) => i * cell_s), y: [...values, last] };
}

function panelsOf(fleet: Fleet, node: number): Panel[] {
  const mine = withCurves(fleet, resourcesOf(fleet, node));
  const order = (i: number) => (fleet.resources[i]!.kind === "network" ? 0 : 1);
  mine.sort((a, b) => order(a) - order(b) || a - b);
  return mine.map((i) => {
    const { name, kind, capacity } = fleet.resources[i]!;
    const cells = useOf(fleet, i);
    const short = name.replace(nodeName(fleet, node), "").trim() || name;
    const line = { name: "", role: "now" as const, kind, area: true, steps: true };
    return {
      name: short.charAt(0).toUpperCase() + short.slice(1),
      of: capacity > 0 ? `of ${rate(capacity)}` : "",
      unit: "%",
      capacity: { at: 1, name: "" },
      reading: reading(cells, fleet.cell_s),
      lines: [{ ...line, ...stepPoints(cells, fleet.cell_s) }],
      reason: "",
    };
  });
}

function transfers(fleet: Fleet, node: number, mine: Transfer[], x: Axis): Section {
  const section = sectionOf("gantt", "Transfers", "one line each, by start", {
    ...{ kind: "gantt", x, groups: groupsOf(fleet, node, mine), overview: "running", moments: [] },
    columns: [{ head: "other end" }, { head: "took, s" }, { head: "MB" }],
    legend: [
      { style: "held", kind: "setting", name: "queued, held by a setting" },
      { style: "wait", kind: "wait", name: "dispatched, or cause unknown" },
      { style: "runs", kind: null, name: "copying, in the hue of its limit" },
    ],
  });
  if (mine.length > 0) return section;
  return without(section, "This node neither sent nor received a block in this run.");
}

function curves(fleet: Fleet, node: number, x: Axis): Section {
  const all = panelsOf(fleet, node);
  const panels = all.slice(0, PANELS);
  const cut = panels.length < all.length ? [`${panels.length} of ${all.length} shown`] : [];
  const qualifier = `${each(fleet.cell_s)}; idle ones are left out`;
  const title = hasCopies(fleet) ? "Its NIC and disks" : "Its resources";
  const made = sectionOf("multiples", title, qualifier, {
    ...{ kind: "curves", x, panels, moments: [] },
  });
  const section = { ...made, tags: [...fleet.tags, ...cut] };
  if (panels.length > 0) return section;
  return without(
    section,
    "No curves of this node: it was idle, its use is unknown, or its resources were left out.",
    `The file keeps all curves up to 2${NB}000 resources, beyond that the hottest only.`,
  );
}

/** "dn-3 disk 2 was busy 45 % of the time, at most 98 % in 0.5 s." */
function busiest(fleet: Fleet, i: number): Span[] {
  const name = nodeName(fleet, i);
  const used = withCurves(fleet, resourcesOf(fleet, i)).map((r) => ({ r, use: useOf(fleet, r) }));
  used.sort((a, b) => mean(b.use) - mean(a.use));
  const [first] = used;
  if (!first) return [{ t: `${name} was idle, or its use is unknown.` }];
  const peak = pct(largest(first.use));
  return [
    { t: `${fleet.resources[first.r]!.name} was busy ` },
    { t: pct(mean(first.use)), s: "strong" },
    { t: ` of the time, at most ${peak} in ${span(fleet.cell_s)}.` },
  ];
}

/** "dn-r1-04 sent 2.5 MB and received 3 MB." */
function carried({ nodes }: Fleet, i: number): Span[] {
  const node = nodes[i]!;
  if (!node.alive) return [{ t: `${node.name} is the lost node: it neither sends nor receives.` }];
  return [
    { t: `${node.name} sent ${bytes(node.sent_bytes)} and received ` },
    { t: bytes(node.received_bytes), s: "strong" },
    { t: "." },
  ];
}

export function nodePage(fleet: Fleet, i: number): Below {
  const node = fleet.nodes[i]!;
  const mine = allTransfers(fleet).filter((t) => t.source === i || t.target === i);
  const { cell_s } = fleet;
  const to = Math.max(largest(fleet.operations.end_s), cellCount(fleet) * cell_s, cell_s);
  const x = { name: "time", unit: "s", from: 0, to, log: false };
  const disks = disksOf(fleet, i).length;
  const copies = hasCopies(fleet);
  const state: Span = { t: node.alive ? "live" : "lost", s: "strong" };
  const rack = { t: rackName(fleet, node.rack), open: rackPath(fleet, node.rack) };
  return {
    ...{ path: nodePath(fleet, i), crumb: node.name, link: null },
    sentence: copies ? carried(fleet, i) : busiest(fleet, i),
    facts: [
      ...(hasStates(fleet) ? [[state]] : []),
      ...(fleet.racks.length > 0 ? [[rack]] : []),
      ...(copies || disks > 0 ? [[{ t: count(disks, "disk") }]] : []),
      [{ t: fleet.of }],
    ],
    sections: [...(copies ? [transfers(fleet, i, mine, x)] : []), curves(fleet, i, x)],
  };
}
