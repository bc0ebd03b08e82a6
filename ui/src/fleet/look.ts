/** Reads the columns of a fleet: copies, use of resources, and addresses. */
import { writtenAll } from "../base/find";
import { largest, mean } from "../base/numbers";
import { type Fleet, type FleetCause, type FleetResource, type HeatRow } from "../page";

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

export function transferAt({ operations: t }: Fleet, i: number): Transfer {
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
    held: t.held[i] ?? null,
  };
}

export const allTransfers = (fleet: Fleet): Transfer[] =>
  fleet.operations.block.map((_, i) => transferAt(fleet, i));

/** What a copy's block was queued for, or null where it is not known or never was. */
export function heldBy(fleet: Fleet, t: Transfer): FleetCause | null {
  const cause = fleet.causes[t.held ?? -1];
  return cause && cause.name !== NOT_QUEUED ? cause : null;
}

/** As the data calls it. */
export const NOT_QUEUED = "not queued";

export const blockName = (block: number): string => `blk_${block}`;
export const nodeName = (fleet: Fleet, i: number): string => fleet.nodes[i]?.name ?? "?";
export const rackName = (fleet: Fleet, i: number): string => fleet.racks[i] ?? "?";

/** Kept by fleet: lists ask for the same again and again. */
function kept<T>(make: (fleet: Fleet) => T): (fleet: Fleet) => T {
  const known = new WeakMap<Fleet, T>();
  return (fleet) => {
    const found = known.get(fleet) ?? make(fleet);
    known.set(fleet, found);
    return found;
  };
}

const nodePaths = kept(({ nodes }) => writtenAll(nodes.map((n) => n.name)));
const rackPaths = kept(({ racks }) => writtenAll(racks));

/** Addresses have names, so that they can be written by hand. */
export const nodePath = (fleet: Fleet, i: number): string => `node/${nodePaths(fleet)[i] ?? i}`;
export const rackPath = (fleet: Fleet, i: number): string => `rack/${rackPaths(fleet)[i] ?? i}`;

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

const domain = kept(({ nodes }) => sharedDomain(nodes.map((n) => n.name)));

/** A node without the domain that all nodes share. */
export function shortNode(fleet: Fleet, i: number): string {
  const name = nodeName(fleet, i);
  return name.slice(0, name.length - domain(fleet).length);
}

/** Cells from the start to the end of the run. */
export const cellCount = kept((fleet) => {
  const used = largest(fleet.use.map((row) => row.length));
  return Math.max(used, Math.ceil(largest(fleet.operations.end_s) / fleet.cell_s));
});

/** Places of each node's resources. */
const ofNodes = kept((fleet) => {
  const all: number[][] = fleet.nodes.map(() => []);
  fleet.resources.forEach((r, i) => r.node !== null && all[r.node]?.push(i));
  return all;
});

/** The places of a node's resources, or of its disks. */
export const resourcesOf = (fleet: Fleet, node: number): number[] => ofNodes(fleet)[node] ?? [];
export const disksOf = (fleet: Fleet, node: number): number[] =>
  resourcesOf(fleet, node).filter((i) => fleet.resources[i]!.kind === "disk");

/** A row of a heat map of one resource. */
export function resourceRow(fleet: Fleet, i: number): HeatRow {
  const cells = useOf(fleet, i);
  const { name, kind, node } = fleet.resources[i]!;
  const open = node === null ? null : nodePath(fleet, node);
  return { kind, name, cells, peak: largest(cells), mean: mean(cells), strong: false, open };
}

/** Utilisation 0–1, as long as the run; zeros where it was idle. */
export function useOf(fleet: Fleet, resource: number): number[] {
  const row = fleet.use[resource] ?? [];
  return Array.from({ length: cellCount(fleet) }, (_, i) => (row[i] ?? 0) / 100);
}

/** The places of resources that fit. */
export const resources = (fleet: Fleet, fits: (r: FleetResource) => boolean): number[] =>
  fleet.resources.flatMap((r, i) => (fits(r) ? [i] : []));

/** Cell by cell the mean of several resources. */
export function meanUse(fleet: Fleet, members: number[]): number[] {
  const rows = members.map((i) => fleet.use[i] ?? []);
  return Array.from({ length: cellCount(fleet) }, (_, k) =>
    mean(rows.map((row) => (row[k] ?? 0) / 100)),
  );
}

/** Whether the run copied blocks: else there are neither transfers nor bytes of nodes. */
export const hasCopies = (fleet: Fleet): boolean => fleet.operations.block.length > 0;

/** Whether lists and pages show which nodes are lost. */
export const hasStates = (fleet: Fleet): boolean =>
  hasCopies(fleet) || fleet.nodes.some((n) => !n.alive);

const hasDisks = kept(({ resources }) => resources.some((r) => r.kind === "disk"));

/** What a node is shown by: its disks, or all its resources in a cluster without disks. */
export const mainOf = (fleet: Fleet, node: number): number[] =>
  hasDisks(fleet) ? disksOf(fleet, node) : resourcesOf(fleet, node);
export const mainWord = (fleet: Fleet): "disk" | "resource" =>
  hasDisks(fleet) ? "disk" : "resource";

/** Whether the file left resources out: means over a node's disks are then lower bounds. */
export const reduced = (fleet: Fleet): boolean => fleet.envelopes.length > 0;

/** How many of the resources have curves: idle ones and those left out have none. */
export const withCurves = (fleet: Fleet, members: number[]): number[] =>
  members.filter((i) => (fleet.use[i]?.length ?? 0) > 0);
