/** Looks into the run behind the first screen. */
import { type Drill } from "../report";
import { written } from "./find";
import { largest, mean } from "./numbers";
import { href } from "./selection";

export interface Transfer {
  /** Its place in the columns. */
  i: number;
  block: number;
  source: number;
  target: number;
  source_disk: number;
  target_disk: number;
  decided_s: number;
  start_s: number;
  end_s: number;
  bytes: number;
  /** What limited the copy; what it waited for in the queue, where that is known. */
  cause: number;
  held: number | null;
}

/** Stands for a disk where the bytes are in memory, or where a log does not tell. */
const NO_DISK = 65535;

/** "disk 3", or nothing where none is known. */
export const diskName = (disk: number): string => (disk === NO_DISK ? "" : `disk ${disk}`);

export function transferAt({ transfers: t }: Drill, i: number): Transfer {
  const at = (column: number[]) => column[i] ?? 0;
  return {
    i,
    block: at(t.block),
    source: at(t.source),
    target: at(t.target),
    source_disk: at(t.source_disk),
    target_disk: at(t.target_disk),
    decided_s: at(t.decided_s),
    start_s: at(t.start_s),
    end_s: at(t.end_s),
    bytes: at(t.bytes),
    cause: at(t.cause),
    held: t.held?.[i] ?? null,
  };
}

export const allTransfers = (drill: Drill): Transfer[] =>
  drill.transfers.block.map((_, i) => transferAt(drill, i));

/** What a copy's block was queued for, or null where it is not known or never was. */
export function heldBy(drill: Drill, t: Transfer): Drill["causes"][number] | null {
  const cause = drill.causes[t.held ?? -1];
  return cause && cause.name !== NOT_QUEUED ? cause : null;
}

/** As the data calls it. */
export const NOT_QUEUED = "not queued";

export const blockName = (block: number): string => `blk_${block}`;
export const nodeName = (drill: Drill, i: number): string => drill.nodes[i]?.name ?? "?";
export const rackName = (drill: Drill, i: number): string => drill.racks[i] ?? "?";

/** Addresses have names, so that they can be written by hand. */
export const nodeHref = (drill: Drill, i: number): string =>
  href(
    "node",
    written(
      drill.nodes.map((n) => n.name),
      i,
    ),
  );
export const rackHref = (drill: Drill, i: number): string => href("rack", written(drill.racks, i));

/** The domain that all hosts share, if they do: it says nothing in a table of them. */
function sharedDomain(names: string[]): string {
  const [first] = names;
  const dot = first?.indexOf(".") ?? -1;
  if (!first || dot < 0 || /^[\d.:]+$/.test(first)) return "";
  let domain = first.slice(dot);
  while (domain && !names.every((n) => n.endsWith(domain))) {
    domain = domain.slice(Math.max(1, domain.indexOf(".", 1)));
    if (!domain.startsWith(".")) return "";
  }
  return domain;
}

const domains = new WeakMap<Drill, string>();

/** A node without the domain that all nodes share. */
export function shortNode(drill: Drill, i: number): string {
  const known = domains.get(drill) ?? sharedDomain(drill.nodes.map((n) => n.name));
  domains.set(drill, known);
  const name = nodeName(drill, i);
  return name.slice(0, name.length - known.length);
}

/** Cells from the start to the end of the run. */
export const cellCount = (drill: Drill): number => {
  const used = largest(drill.use.map((row) => row.length));
  return Math.max(used, Math.ceil(largest(drill.transfers.end_s) / drill.cell_s));
};

/** Utilisation 0–1, as long as the run; zeros where it was idle. */
export function useOf(drill: Drill, resource: number): number[] {
  const row = drill.use[resource] ?? [];
  return Array.from({ length: cellCount(drill) }, (_, i) => (row[i] ?? 0) / 100);
}

/** The places of resources that fit. */
export const resources = (
  drill: Drill,
  fits: (r: Drill["resources"][number]) => boolean,
): number[] => drill.resources.flatMap((r, i) => (fits(r) ? [i] : []));

/** Cell by cell the mean of several resources. */
export function meanUse(drill: Drill, members: number[]): number[] {
  const rows = members.map((i) => drill.use[i] ?? []);
  return Array.from({ length: cellCount(drill) }, (_, k) =>
    mean(rows.map((row) => (row[k] ?? 0) / 100)),
  );
}

/** Whether the file left resources out: means over a node's disks are then lower bounds. */
export const reduced = (drill: Drill): boolean => (drill.envelopes ?? []).length > 0;

/** How many of the resources have curves: idle ones and those left out have none. */
export const withCurves = (drill: Drill, members: number[]): number[] =>
  members.filter((i) => (drill.use[i]?.length ?? 0) > 0);
