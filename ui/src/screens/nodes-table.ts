/** Nodes as a table: what each sent and received, and how busy its disks were. */
import { h, type Child } from "../base/dom";
import { rackName, reduced, resources, useOf, withCurves } from "../base/drill";
import { bytes, duration, largest, mean, NONE, num, pct } from "../base/numbers";
import { type RowColumn } from "../parts/rows";
import { type Drill } from "../report";
import { nodeLink, rackLink } from "./screen";

export interface NodeRow {
  i: number;
  name: string;
  rack: string;
  alive: boolean;
  sent: number;
  received: number;
  /** Mean and busiest cell of its disks, 0–1; null without curves. */
  busy: number | null;
  peak: number | null;
}

export function nodeRows(drill: Drill, fits: (rack: number) => boolean = () => true): NodeRow[] {
  return drill.nodes.flatMap((node, i) => {
    if (!fits(node.rack)) return [];
    const disks = resources(drill, (r) => r.node === i && r.kind === "disk");
    const curves = withCurves(drill, disks).map((d) => useOf(drill, d));
    const known = curves.length > 0;
    return [
      {
        i,
        name: node.name,
        rack: rackName(drill, node.rack),
        alive: node.alive,
        sent: node.sent_bytes,
        received: node.received_bytes,
        busy: known ? curves.reduce((a, c) => a + mean(c), 0) / disks.length : null,
        peak: known ? largest(curves.map((c) => largest(c))) : null,
      },
    ];
  });
}

const share = (v: number | null): Child =>
  v === null ? h("span", { class: "dim" }, NONE) : pct(v);

/** What the table's peaks are of. */
export const nodesNote = (drill: Drill, of = ""): string =>
  `${of}${drill.of}; peak: a disk’s busiest ${duration(drill.cell_s, 1)}; a head sorts`;

export function nodeColumns(drill: Drill): RowColumn<NodeRow>[] {
  const bound = reduced(drill) ? "\nat least" : "";
  const live = drill.nodes.filter((n) => n.alive);
  const sent = mean(live.map((n) => n.sent_bytes));
  const received = mean(live.map((n) => n.received_bytes));
  const ratio = (v: number, of: number): string => (of > 0 ? num(v / of, 2) : NONE);
  return [
    {
      id: "name",
      head: "Node",
      left: true,
      sort: (r) => r.name,
      cell: (r) => nodeLink(drill, r.i),
    },
    {
      id: "rack",
      head: "Rack",
      left: true,
      sort: (r) => r.rack,
      cell: (r) => rackLink(drill, drill.racks.indexOf(r.rack)),
    },
    {
      id: "state",
      head: "State",
      left: true,
      sort: (r) => Number(r.alive),
      cell: (r) => (r.alive ? "live" : h("b", {}, "lost")),
    },
    { id: "sent", head: "Sent", down: true, sort: (r) => r.sent, cell: (r) => bytes(r.sent) },
    {
      id: "sent-ratio",
      head: "Sent/mean",
      down: true,
      sort: (r) => r.sent,
      cell: (r) => ratio(r.sent, sent),
    },
    {
      id: "received",
      head: "Received",
      down: true,
      sort: (r) => r.received,
      cell: (r) => bytes(r.received),
    },
    {
      id: "received-ratio",
      head: "Received/mean",
      down: true,
      sort: (r) => r.received,
      cell: (r) => ratio(r.received, received),
    },
    {
      id: "busy",
      head: `Disks, mean${bound}`,
      down: true,
      sort: (r) => r.busy ?? -1,
      cell: (r) => share(r.busy),
    },
    {
      id: "peak",
      head: `Disks, peak${bound}`,
      down: true,
      sort: (r) => r.peak ?? -1,
      cell: (r) => share(r.peak),
    },
  ];
}
