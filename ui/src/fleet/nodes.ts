/** Nodes as a list: how busy its disks were, and what each sent and received. */
import { bytes, count, largest, mean, NONE, num, pct, span } from "../base/numbers";
import { type Below, type Entry, type Fleet, type ListColumn, type Section } from "../page";
import {
  hasCopies,
  hasStates,
  mainOf,
  mainWord,
  nodePath,
  rackName,
  rackPath,
  reduced,
  useOf,
  withCurves,
} from "./look";
import { sectionOf } from "./section";

const words = (id: string, head: string): ListColumn => ({
  ...{ id, head, align: "left", down: false, code: false, choose: null },
});
const numbers = (id: string, head: string): ListColumn => ({
  ...{ id, head, align: "right", down: true, code: false, choose: null },
});

function columnsOf(fleet: Fleet, withRack: boolean): ListColumn[] {
  const bound = reduced(fleet) ? "\nat least" : "";
  const what = mainWord(fleet) === "disk" ? "Disks" : "Resources";
  const moved = [
    numbers("sent", "Sent"),
    numbers("sent-ratio", "Sent/mean"),
    numbers("received", "Received"),
    numbers("received-ratio", "Received/mean"),
  ];
  return [
    words("name", "Node"),
    ...(withRack ? [words("rack", "Rack")] : []),
    ...(hasStates(fleet) ? [words("state", "State")] : []),
    ...(hasCopies(fleet) ? moved : []),
    numbers("busy", `${what}, mean${bound}`),
    numbers("peak", `${what}, peak${bound}`),
  ];
}

/** Mean and busiest cell of a node's disks or resources; nothing without curves. */
function busyOf(fleet: Fleet, node: number): [Entry, Entry] {
  const main = mainOf(fleet, node);
  const curves = withCurves(fleet, main).map((d) => useOf(fleet, d));
  if (curves.length === 0)
    return [
      { t: NONE, by: -1 },
      { t: NONE, by: -1 },
    ];
  const busy = curves.reduce((a, c) => a + mean(c), 0) / main.length;
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
  const withRack = rack === null && fleet.racks.length > 0;
  const ratio = (v: number, of: number): Entry => ({ t: of > 0 ? num(v / of, 2) : NONE, by: v });
  const rows = fleet.nodes.flatMap((node, i): Entry[][] => {
    if (rack !== null && node.rack !== rack) return [];
    const { sent_bytes, received_bytes } = node;
    const at = { t: rackName(fleet, node.rack), open: rackPath(fleet, node.rack) };
    return [
      [
        { t: node.name, open: nodePath(fleet, i) },
        ...(withRack ? [at] : []),
        ...(hasStates(fleet) ? [{ t: node.alive ? "live" : "lost", by: Number(node.alive) }] : []),
        ...(hasCopies(fleet)
          ? [
              { t: bytes(sent_bytes), by: sent_bytes },
              ratio(sent_bytes, sent),
              { t: bytes(received_bytes), by: received_bytes },
              ratio(received_bytes, received),
            ]
          : []),
        ...busyOf(fleet, i),
      ],
    ];
  });
  const of = rack === null ? "" : `of ${rackName(fleet, rack)}; `;
  const peak = `peak: a ${mainWord(fleet)}’s busiest ${span(fleet.cell_s, 1)}`;
  return sectionOf("nodes", "Nodes", `${of}${fleet.of}; ${peak}; a head sorts`, {
    ...{ kind: "list", many: "nodes", find: "" },
    first: hasCopies(fleet) ? "received" : "busy",
    columns: columnsOf(fleet, withRack),
    rows,
  });
}

export function nodesPage(fleet: Fleet): Below {
  const live = fleet.nodes.filter((n) => n.alive).length;
  const words = live === 1 ? " node lives, " : " nodes live, ";
  const lost = `${words}${num(fleet.nodes.length - live)} lost.`;
  const racks = fleet.racks.length > 0 ? [[{ t: count(fleet.racks.length, "rack") }]] : [];
  return {
    ...{ path: "nodes", crumb: "nodes", link: "Nodes" },
    facts: [[{ t: fleet.of }], ...racks],
    sentence: [{ t: num(live), s: "strong" }, { t: hasStates(fleet) ? lost : " nodes." }],
    sections: [{ ...nodeList(fleet, null), tags: fleet.tags }],
  };
}
