/** A rack: its uplink, its nodes and its disks over time, and its nodes as a table. */
import { h, type Child } from "../base/dom";
import { meanUse, nodeHref, nodeName, reduced, resources, useOf, withCurves } from "../base/drill";
import { find } from "../base/find";
import { count, each, largest, mean, num, pct } from "../base/numbers";
import { heatKey, heatmap, MOST_ROWS } from "../parts/heatmap";
import { rowsTable } from "../parts/rows";
import { blank, section } from "../parts/section";
import { zoomTag } from "../parts/zoomed";
import { type Drill, type HeatGroup, type HeatRow } from "../report";
import { nodeColumns, nodeRows, nodesNote } from "./nodes-table";
import { below, nowhere, rackLink, type Screen } from "./screen";

/** So many single disks below the nodes. */
const HOTTEST = 20;

function resourceRow(drill: Drill, i: number): HeatRow {
  const cells = useOf(drill, i);
  const { name, kind } = drill.resources[i]!;
  return {
    kind,
    rack: null,
    resource: i,
    name,
    cells,
    peak: largest(cells),
    mean: mean(cells),
    strong: false,
  };
}

/** A node's row: the mean of its disks, and the busiest of them. */
function nodeRow(drill: Drill, node: number, marked: boolean): HeatRow {
  const disks = resources(drill, (r) => r.node === node && r.kind === "disk");
  const cells = meanUse(drill, disks);
  const peak = largest(disks.map((d) => mean(useOf(drill, d))));
  return {
    kind: "disk",
    rack: null,
    resource: disks[0] ?? null,
    name: nodeName(drill, node),
    cells,
    peak,
    mean: mean(cells),
    strong: marked,
  };
}

/** What the file keeps of resources that it left out. */
function envelopeRows({ envelopes = [] }: Drill, rack: number): HeatRow[] {
  return envelopes.flatMap(({ rack: of, kind, members, mean: use, max }) => {
    if (of !== rack || (kind !== "disk" && kind !== "network")) return [];
    const cells = use.map((v) => v / 100);
    const name = count(members, kind === "disk" ? "disk" : "link");
    const peak = largest(max) / 100;
    return [
      { kind, rack: null, resource: null, name, cells, peak, mean: mean(cells), strong: false },
    ];
  });
}

/** "The 20 hottest of 108 busy disks"; all of them where they are few. */
function hottestOf(shown: number, all: number): string {
  if (shown < all) return `The ${shown} hottest of ${num(all)} busy disks`;
  return all === 1 ? "The busy disk" : `The ${all} busy disks, hottest first`;
}

function groupsOf(drill: Drill, rack: number, nodes: number[]): HeatGroup[] {
  // Both ways, idle ones too.
  const uplinks = resources(
    drill,
    (r) => r.rack === rack && r.node === null && r.kind === "network",
  );
  const disks = withCurves(
    drill,
    resources(drill, (r) => r.node !== null && nodes.includes(r.node) && r.kind === "disk"),
  );
  const hottest = disks
    .map((i) => resourceRow(drill, i))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, HOTTEST);
  const room = MOST_ROWS - uplinks.length - hottest.length - 2;
  const byNode = nodes
    .map((i) => nodeRow(drill, i, false))
    .sort((a, b) => b.mean - a.mean)
    .slice(0, room);
  const cut =
    byNode.length < nodes.length ? `, the ${byNode.length} busiest of ${nodes.length}` : "";
  const left = envelopeRows(drill, rack);
  const bound = reduced(drill) ? ", at least" : "";
  const groups: HeatGroup[] = [
    { title: "Without curves of their own: mean of all", columns: ["peak", "mean"], rows: left },
    {
      title: uplinks.length > 1 ? "Uplink, out and in" : "Uplink",
      columns: ["peak", "mean"],
      rows: uplinks.map((i) => resourceRow(drill, i)),
    },
    {
      title: `Nodes: mean of a node’s disks${bound}${cut}`,
      columns: ["busiest", "mean"],
      rows: disks.length > 0 ? byNode : [],
    },
    {
      title: hottestOf(hottest.length, disks.length),
      columns: ["peak", "mean"],
      rows: hottest,
    },
  ];
  return groups.filter((g) => g.rows.length > 0);
}

export function rackScreen({ report, life, argument }: Screen): Child[] {
  const { drill } = report;
  const found = find(drill.racks, argument);
  if ("near" in found) {
    const near = found.near.map((place) => rackLink(drill, place));
    return nowhere(report, `rack ${argument}`, near);
  }
  const rack = found.at;
  const name = drill.racks[rack]!;
  const nodes = drill.nodes.flatMap((n, i) => (n.rack === rack ? [i] : []));
  const live = nodes.filter((i) => drill.nodes[i]!.alive).length;
  const total = drill.nodes.reduce((a, n) => a + n.received_bytes, 0);
  const here = nodes.reduce((a, i) => a + drill.nodes[i]!.received_bytes, 0);
  const groups = groupsOf(drill, rack, nodes);
  const busy = section({
    part: "heat",
    title: "Busy",
    qualifier: `${each(drill.cell_s)}, ${drill.of}`,
    tags: report.chart_tags?.drill ?? [],
    control: zoomTag(life),
    key:
      groups.length > 0 && heatKey([...new Set(groups.flatMap((g) => g.rows.map((r) => r.kind)))]),
  });
  if (groups.length === 0)
    busy.fig.append(blank("No curves of this rack: it was idle, or its resources were left out."));
  else {
    const open = (row: HeatRow) => {
      const node = row.resource === null ? null : drill.resources[row.resource]?.node;
      return node == null ? null : () => (location.hash = nodeHref(drill, node));
    };
    heatmap(life, busy.fig, {
      label: `Busy share of resources of ${name}`,
      groups,
      cell_s: drill.cell_s,
      open,
    });
  }
  const table = section({
    part: "nodes",
    title: "Nodes",
    qualifier: nodesNote(drill, `of ${name}; `),
  });
  const rows = nodeRows(drill, (r) => r === rack);
  rowsTable(life, table.fig, {
    columns: nodeColumns(drill).filter((c) => c.id !== "rack"),
    rows: () => rows,
    all: rows.length,
    many: "nodes",
    first: "received",
  });
  const words =
    total > 0
      ? [`${name} received `, h("b", {}, pct(here / total)), " of all copied bytes."]
      : [`${name} received nothing.`];
  return below(report, name, [drill.of, count(nodes.length, "node"), `${num(live)} live`], words, [
    busy.root,
    table.root,
  ]);
}
