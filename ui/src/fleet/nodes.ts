/** Nodes as a list: what each sent and received, and how busy its disks were. */
import { bytes, count, duration, largest, mean, NONE, num, pct } from "../base/numbers";
import { type Below, type Entry, type Fleet, type ListColumn, type Section } from "../page";
import { disksOf, nodePath, rackName, rackPath, reduced, useOf, withCurves } from "./look";
import { sectionOf } from "./section";

const words = (id: string, head: string): ListColumn => ({
  ...{ id, head, align: "left", down: false, code: false, choose: null },
});
const numbers = (id: string, head: string): ListColumn => ({
  ...{ id, head, align: "right", down: true, code: false, choose: null },
});

function columnsOf(fleet: Fleet, withRack: boolean): ListColumn[] {
  const bound = reduced(fleet) ? "\nat least" : "";
  return [
    words("name", "Node"),
    ...(withRack ? [words("rack", "Rack")] : []),
    words("state", "State"),
    numbers("sent", "Sent"),
    numbers("sent-ratio", "Sent/mean"),
    numbers("received", "Received"),
    numbers("received-ratio", "Received/mean"),
    numbers("busy", `Disks, mean${bound}`),
    numbers("peak", `Disks, peak${bound}`),
  ];
}

/** Mean and busiest cell of a node's disks; nothing without curves. */
function busyOf(fleet: Fleet, node: number): [Entry, Entry] {
  const disks = disksOf(fleet, node);
  const curves = withCurves(fleet, disks).map((d) => useOf(fleet, d));
  if (curves.length === 0)
    return [
      { t: NONE, by: -1 },
      { t: NONE, by: -1 },
    ];
  const busy = curves.reduce((a, c) => a + mean(c), 0) / disks.length;
  const peak = largest(curves.map((c) => largest(c)));
  return [
    { t: pct(busy), by: busy },
    { t: pct(peak), by: peak },
  ];
}

/** The nodes of a rack, or all. */
export function nodeList(fleet: Fleet, rack: number | null): Section {
  const live = fleet.nodes.filter((n) => n.alive);
  const sent = mean(live.map((n) => n.sent_bytes));
  const received = mean(live.map((n) => n.received_bytes));
  const ratio = (v: number, of: number): Entry => ({ t: of > 0 ? num(v / of, 2) : NONE, by: v });
  const rows = fleet.nodes.flatMap((node, i): Entry[][] => {
    if (rack !== null && node.rack !== rack) return [];
    const { sent_bytes, received_bytes } = node;
    const at = { t: rackName(fleet, node.rack), open: rackPath(fleet, node.rack) };
    return [
      [
        { t: node.name, open: nodePath(fleet, i) },
        ...(rack === null ? [at] : []),
        { t: node.alive ? "live" : "lost", by: Number(node.alive) },
        { t: bytes(sent_bytes), by: sent_bytes },
        ratio(sent_bytes, sent),
        { t: bytes(received_bytes), by: received_bytes },
        ratio(received_bytes, received),
        ...busyOf(fleet, i),
      ],
    ];
  });
  const of = rack === null ? "" : `of ${rackName(fleet, rack)}; `;
  const peak = `peak: a disk’s busiest ${duration(fleet.cell_s, 1)}`;
  return sectionOf("nodes", "Nodes", `${of}${fleet.of}; ${peak}; a head sorts`, {
    ...{ kind: "list", many: "nodes", first: "received", find: "" },
    columns: columnsOf(fleet, rack === null),
    rows,
  });
}

export function nodesPage(fleet: Fleet): Below {
  const live = fleet.nodes.filter((n) => n.alive).length;
  const words = live === 1 ? " node lives, " : " nodes live, ";
  const rest = `${words}${num(fleet.nodes.length - live)} lost.`;
  return {
    ...{ path: "nodes", crumb: "nodes", link: "Nodes" },
    facts: [[{ t: fleet.of }], [{ t: count(fleet.racks.length, "rack") }]],
    sentence: [{ t: num(live), s: "strong" }, { t: rest }],
    sections: [{ ...nodeList(fleet, null), tags: fleet.tags }],
  };
}
