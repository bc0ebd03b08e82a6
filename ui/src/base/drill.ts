/** Looks into the run behind the first screen. */
import { type Drill } from "../report";
import { largest, mean } from "./numbers";

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
  cause: number;
}

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
  };
}

export const allTransfers = (drill: Drill): Transfer[] =>
  drill.transfers.block.map((_, i) => transferAt(drill, i));

export const blockName = (block: number): string => `blk_${block}`;
export const nodeName = (drill: Drill, i: number): string => drill.nodes[i]?.name ?? "?";
export const rackName = (drill: Drill, i: number): string => drill.racks[i] ?? "?";

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

/** How many of the resources have curves: idle ones and those left out have none. */
export const withCurves = (drill: Drill, members: number[]): number[] =>
  members.filter((i) => (drill.use[i]?.length ?? 0) > 0);
