/** All copies of the run: what their blocks waited for, and each one, sorted and filtered. */
import { bytes, NONE, num } from "../base/numbers";
import { type Below, type Entry, type Fleet, type ListColumn, type Section } from "../page";
import {
  allTransfers,
  blockName,
  diskName,
  nodeName,
  nodePath,
  NOT_QUEUED,
  shortNode,
  type Transfer,
} from "./look";
import { sectionOf, without } from "./section";

const column = (id: string, head: string, more: Partial<ListColumn> = {}): ListColumn => ({
  ...{ id, head, align: "right", down: false, code: false, choose: null },
  ...more,
});

function columnsOf(withQueues: boolean): ListColumn[] {
  const left = { align: "left" as const };
  const held = { id: "held", label: "queued for", kinds: false };
  const limit = { id: "limit", label: "limited by", kinds: true };
  return [
    column("block", "Block", { ...left, code: true }),
    column("from", "From", left),
    column("to", "To", left),
    column("decided", "Queued\nuntil, s"),
    column("start", "Start, s"),
    column("end", "End, s"),
    column("took", "Took, s", { down: true }),
    column("size", "Size", { down: true }),
    ...(withQueues ? [column("held", "Queued for", { ...left, choose: held })] : []),
    column("cause", "Limited by", { ...left, choose: limit }),
  ];
}

/** A setting by its real key, a resource by its name without the domain. */
function causeEntries(fleet: Fleet): Entry[] {
  const hosts = new Map(fleet.nodes.map((n, i) => [n.name, i]));
  return fleet.causes.map(({ kind, name }, by) => {
    if (name === NOT_QUEUED) return { t: "", more: name, full: name, by };
    const [host = "", ...rest] = name.split(" ");
    const node = kind === "setting" ? undefined : hosts.get(host);
    const t = node === undefined ? name : `${shortNode(fleet, node)} ${rest.join(" ")}`;
    return { t, full: name, kind, by };
  });
}

function endOf(fleet: Fleet, node: number, disk: number): Entry {
  const full = nodeName(fleet, node);
  const open = nodePath(fleet, node);
  return { t: shortNode(fleet, node), more: diskName(disk), full, open };
}

const seconds = (v: number): Entry => ({ t: num(v, 2), by: v });

function rowOf(fleet: Fleet, causes: Entry[], t: Transfer): Entry[] {
  const cause = (place: number | null) => causes[place ?? -1] ?? { t: NONE, by: -1 };
  return [
    { t: blockName(t.block), by: t.block },
    endOf(fleet, t.source, t.source_disk),
    endOf(fleet, t.target, t.target_disk),
    seconds(t.decided_s),
    seconds(t.start_s),
    seconds(t.end_s),
    seconds(t.end_s - t.start_s),
    { t: bytes(t.bytes), by: t.bytes },
    ...(t.held === null ? [] : [cause(t.held)]),
    cause(t.cause),
  ];
}

function list(fleet: Fleet): Section {
  const causes = causeEntries(fleet);
  const rows = allTransfers(fleet).map((t) => rowOf(fleet, causes, t));
  const qualifier = `${fleet.of}; seconds ${fleet.since}; a head sorts`;
  const made = sectionOf("transfers", "Transfers", qualifier, {
    ...{ kind: "list", many: "transfers", first: "start", find: "block or node" },
    columns: columnsOf(fleet.operations.held.length > 0),
    rows,
  });
  const section = { ...made, tags: fleet.tags };
  return rows.length > 0 ? section : without(section, "No block was copied in this run.");
}

/** What all blocks waited for, not only the last one. */
function waited({ waited }: Fleet): Section[] {
  if (waited.length === 0) return [];
  const qualifier = "mean over blocks; the verdict has the last block’s path";
  const made = sectionOf("waited", "Waits of all blocks", qualifier, {
    ...{ kind: "shares", unit: "s", head: "waited", whole: true, rows: waited },
  });
  return [{ ...made, width: "larger", wide: "half" }];
}

export function transfersPage(fleet: Fleet): Below {
  const moved = fleet.operations.bytes.reduce((a, b) => a + b, 0);
  const copies = fleet.operations.block.length;
  const rest = ` ${copies === 1 ? "copy was" : "copies were"} made`;
  return {
    ...{ path: "transfers", crumb: "transfers", link: "Transfers" },
    facts: [[{ t: fleet.of }]],
    sentence: [
      { t: num(copies), s: "strong" },
      { t: rest + (copies > 0 ? `, ${bytes(moved)}.` : ".") },
    ],
    sections: [...waited(fleet), list(fleet)],
  };
}
