/** A rack: its uplink, its nodes and its disks over time, and its nodes as a list. */
import { count, each, largest, mean, num, pct } from "../base/numbers";
import { MOST_ROWS } from "../parts/heatmap";
import {
  type Below,
  type Fleet,
  type HeatGroup,
  type HeatRow,
  type Kind,
  type Section,
  type Span,
} from "../page";
import {
  cellCount,
  hasCopies,
  hasStates,
  mainOf,
  mainWord,
  meanUse,
  nodeName,
  nodePath,
  rackPath,
  reduced,
  resourceRow,
  resources,
  useOf,
  withCurves,
} from "./look";
import { nodeList } from "./nodes";
import { sectionOf, without } from "./section";

/** So many single disks below the nodes. */
const HOTTEST = 20;

/** A node's row: the mean of its disks or resources, and the busiest of them. */
function nodeRow(fleet: Fleet, node: number): HeatRow {
  const main = mainOf(fleet, node);
  const cells = meanUse(fleet, main);
  const peak = largest(main.map((d) => mean(useOf(fleet, d))));
  const kind = fleet.resources[main[0] ?? -1]?.kind ?? "disk";
  const open = nodePath(fleet, node);
  const name = nodeName(fleet, node);
  return { kind, name, cells, peak, mean: mean(cells), strong: false, open };
}

/** What the file keeps of resources that it left out. */
function envelopeRows({ envelopes }: Fleet, rack: number): HeatRow[] {
  return envelopes.flatMap(({ rack: of, kind, members, mean: use, max }) => {
    if (of !== rack) return [];
    const cells = use.map((v) => v / 100);
    const words: Partial<Record<Kind, string>> = { disk: "disk", network: "link" };
    const name = count(members, words[kind] ?? "resource");
    const peak = largest(max) / 100;
    return [{ kind, name, cells, peak, mean: mean(cells), strong: false, open: null }];
  });
}

/** "The 20 hottest of 108 busy disks"; all of them where they are few. */
function hottestOf(shown: number, all: number, word: string): string {
  if (shown < all) return `The ${shown} hottest of ${num(all)} busy ${word}s`;
  return all === 1 ? `The busy ${word}` : `The ${all} busy ${word}s, hottest first`;
}

function groupsOf(fleet: Fleet, rack: number, nodes: number[]): HeatGroup[] {
  // Both ways, idle ones too.
  const uplinks = resources(
    fleet,
    (r) => r.rack === rack && r.node === null && r.kind === "network",
  );
  const disks = withCurves(
    fleet,
    nodes.flatMap((i) => mainOf(fleet, i)),
  );
  const byMean = (rows: HeatRow[]) => rows.sort((a, b) => b.mean - a.mean);
  const hottest = byMean(disks.map((i) => resourceRow(fleet, i))).slice(0, HOTTEST);
  const room = MOST_ROWS - uplinks.length - hottest.length - 2;
  const byNode = byMean(nodes.map((i) => nodeRow(fleet, i))).slice(0, room);
  const few = byNode.length < nodes.length;
  const cut = few ? `, the ${byNode.length} busiest of ${nodes.length}` : "";
  const bound = reduced(fleet) ? ", at least" : "";
  const left = envelopeRows(fleet, rack);
  const word = mainWord(fleet);
  const group = (title: string, rows: HeatRow[], first = "peak"): HeatGroup => ({
    ...{ title, columns: [first, "mean"], rows },
  });
  return [
    group("Without curves of their own: mean of all", left),
    group(
      uplinks.length > 1 ? "Uplink, out and in" : "Uplink",
      uplinks.map((i) => resourceRow(fleet, i)),
    ),
    group(
      `Nodes: mean of a node’s ${word}s${bound}${cut}`,
      disks.length > 0 ? byNode : [],
      "busiest",
    ),
    group(hottestOf(hottest.length, disks.length, word), hottest),
  ].filter((g) => g.rows.length > 0);
}

function busy(fleet: Fleet, rack: number, nodes: number[]): Section {
  const groups = groupsOf(fleet, rack, nodes);
  const to = cellCount(fleet) * fleet.cell_s;
  const made = sectionOf("heat", "Busy", `${each(fleet.cell_s)}, ${fleet.of}`, {
    ...{ kind: "heat", cell: fleet.cell_s, word: "busy", groups, moments: [] },
    x: { name: "time", unit: "s", from: 0, to, log: false },
  });
  const section = { ...made, tags: fleet.tags };
  if (groups.length > 0) return section;
  const why = "No curves of this rack: it was idle, or its resources were left out.";
  return without(section, why);
}

/** "/rack1’s disks were busy 12 % of the time." */
function busiest(fleet: Fleet, rack: number, nodes: number[]): Span[] {
  const use = mean(nodes.flatMap((i) => mainOf(fleet, i)).map((r) => mean(useOf(fleet, r))));
  const bound = reduced(fleet) ? "at least " : "";
  return [
    { t: `${fleet.racks[rack]!}’s ${mainWord(fleet)}s were busy ${bound}` },
    { t: pct(use), s: "strong" },
    { t: " of the time." },
  ];
}

/** "/rack1 received 12 % of all copied bytes." */
function carried(fleet: Fleet, rack: number, nodes: number[]): Span[] {
  const name = fleet.racks[rack]!;
  const total = fleet.nodes.reduce((a, n) => a + n.received_bytes, 0);
  const here = nodes.reduce((a, i) => a + fleet.nodes[i]!.received_bytes, 0);
  if (total === 0) return [{ t: `${name} received nothing.` }];
  return [
    { t: `${name} received ` },
    { t: pct(here / total), s: "strong" },
    { t: " of all copied bytes." },
  ];
}

export function rackPage(fleet: Fleet, rack: number): Below {
  const name = fleet.racks[rack]!;
  const nodes = fleet.nodes.flatMap((n, i) => (n.rack === rack ? [i] : []));
  const live = nodes.filter((i) => fleet.nodes[i]!.alive).length;
  const state = hasStates(fleet) ? [[{ t: `${num(live)} live` }]] : [];
  return {
    ...{ path: rackPath(fleet, rack), crumb: name, link: null },
    facts: [[{ t: fleet.of }], [{ t: count(nodes.length, "node") }], ...state],
    sentence: (hasCopies(fleet) ? carried : busiest)(fleet, rack, nodes),
    sections: [busy(fleet, rack, nodes), nodeList(fleet, rack)],
  };
}
