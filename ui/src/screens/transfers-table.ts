/** Transfers as a table: its columns, and what a filter keeps. */
import { h, type Child } from "../base/dom";
import { blockName, diskName, nodeName, NOT_QUEUED, shortNode, type Transfer } from "../base/drill";
import { fit, fitKey } from "../base/measure";
import { bytes, NONE, num } from "../base/numbers";
import { type RowColumn } from "../parts/rows";
import { swatch } from "../parts/spans";
import { type Drill } from "../report";
import { nodeLink } from "./screen";

export interface Filter {
  /** Words in the block's or a node's name. */
  q: string | null;
  /** What the queue waited for: a place in `causes`. */
  held: number | null;
  /** The kind of what limited the copy. */
  limit: string | null;
}

const has = (drill: Drill, t: Transfer, words: string): boolean =>
  [blockName(t.block), nodeName(drill, t.source), nodeName(drill, t.target)].some((name) =>
    name.toLowerCase().includes(words.toLowerCase()),
  );

export const keeps = (drill: Drill, { q, held, limit }: Filter, t: Transfer): boolean =>
  (q === null || has(drill, t, q)) &&
  (held === null || t.held === held) &&
  (limit === null || drill.causes[t.cause]?.kind === limit);

/** The causes that some wait in the queue had, most frequent first. */
export function heldCauses(drill: Drill): number[] {
  const times = new Map<number, number>();
  for (const place of drill.transfers.held ?? []) times.set(place, (times.get(place) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([place]) => place);
}

/** The kinds of what limited copies. */
export const limitKinds = (drill: Drill): string[] => [
  ...new Set(drill.transfers.cause.map((c) => drill.causes[c]?.kind ?? "unexplained")),
];

/** For a cause's name [px]; a key that is longer loses its first parts. */
const room = (): number => (innerWidth < 1600 ? 268 : 420);

/** A setting by its real key, a resource by its name. */
function causeCell(drill: Drill, place: number | null): Child {
  const cause = drill.causes[place ?? -1];
  if (!cause) return h("span", { class: "dim" }, NONE);
  const { kind, name } = cause;
  if (name === NOT_QUEUED) return h("span", { class: "dim" }, name);
  if (kind === "setting")
    return h(
      "span",
      { title: name },
      swatch(kind),
      h("code", { class: "k" }, fitKey(name, room())),
    );
  const [host = "", ...rest] = name.split(" ");
  const node = drill.nodes.findIndex((n) => n.name === host);
  const words = node < 0 ? name : `${shortNode(drill, node)} ${rest.join(" ")}`;
  return h("span", { title: name }, swatch(kind), fit(words, room(), "400 13px Inter"));
}

const seconds = (id: string, head: string, of: (t: Transfer) => number): RowColumn<Transfer> => ({
  id,
  head,
  sort: of,
  cell: (t) => num(of(t), 2),
});

interface End {
  id: string;
  head: string;
  node: (t: Transfer) => number;
  disk: (t: Transfer) => number;
}

const endColumn = (drill: Drill, { id, head, node, disk }: End): RowColumn<Transfer> => ({
  id,
  head,
  left: true,
  sort: (t) => nodeName(drill, node(t)),
  cell: (t) =>
    h(
      "span",
      { title: nodeName(drill, node(t)) },
      nodeLink(drill, node(t), shortNode(drill, node(t))),
      h("span", { class: "dim" }, ` ${diskName(disk(t))}`),
    ),
});

export function transferColumns(drill: Drill): RowColumn<Transfer>[] {
  const from = { id: "from", head: "From" };
  const to = { id: "to", head: "To" };
  const columns: RowColumn<Transfer>[] = [
    {
      id: "block",
      head: "Block",
      left: true,
      sort: (t) => t.block,
      cell: (t) => h("code", {}, blockName(t.block)),
    },
    endColumn(drill, { ...from, node: (t) => t.source, disk: (t) => t.source_disk }),
    endColumn(drill, { ...to, node: (t) => t.target, disk: (t) => t.target_disk }),
    seconds("decided", "Queued\nuntil, s", (t) => t.decided_s),
    seconds("start", "Start, s", (t) => t.start_s),
    seconds("end", "End, s", (t) => t.end_s),
    { ...seconds("took", "Took, s", (t) => t.end_s - t.start_s), down: true },
    { id: "size", head: "Size", down: true, sort: (t) => t.bytes, cell: (t) => bytes(t.bytes) },
  ];
  const cause = (id: string, head: string, of: (t: Transfer) => number | null) =>
    columns.push({
      id,
      head,
      left: true,
      sort: (t) => of(t) ?? -1,
      cell: (t) => causeCell(drill, of(t)),
    });
  if (drill.transfers.held) cause("held", "Queued for", (t) => t.held);
  cause("cause", "Limited by", (t) => t.cause);
  return columns;
}
