/** The pages below the first that are made of a fleet's columns when their address is opened. */
import { find } from "../base/find";
import { type Below, type Fleet } from "../page";
import { type Place } from "../parts/search";
import { hasCopies, nodePath, rackPath } from "./look";
import { nodePage } from "./node";
import { nodesPage } from "./nodes";
import { rackPage } from "./rack";
import { transfersPage } from "./transfers";

/** A page, or what there is instead: "node dn-99", and the nearest ones. */
export type Found = { page: Below } | { what: string; near: Place[] };

const placeOf = (fleet: Fleet, kind: "rack" | "node", i: number): Place => ({
  name: kind === "rack" ? fleet.racks[i]! : fleet.nodes[i]!.name,
  beside: kind,
  path: (kind === "rack" ? rackPath(fleet, i) : nodePath(fleet, i)).split("/"),
});

/** The page at an address; null where the address is none of a fleet's. */
export function fleetPage(fleet: Fleet, [kind = "", ...rest]: string[]): Found | null {
  const words = rest.join("/");
  if (kind === "nodes") return { page: nodesPage(fleet) };
  if (kind === "transfers" && hasCopies(fleet)) return { page: transfersPage(fleet) };
  if (kind !== "rack" && kind !== "node") return null;
  const names = kind === "rack" ? fleet.racks : fleet.nodes.map((n) => n.name);
  const found = find(names, words);
  if ("near" in found)
    return { what: `${kind} ${words}`, near: found.near.map((i) => placeOf(fleet, kind, i)) };
  return { page: kind === "rack" ? rackPage(fleet, found.at) : nodePage(fleet, found.at) };
}

/** Links of the top line. */
export const lists = (fleet: Fleet): { name: string; path: string[] }[] => [
  { name: "Nodes", path: ["nodes"] },
  ...(hasCopies(fleet) ? [{ name: "Transfers", path: ["transfers"] }] : []),
];

/** What a search finds. */
export const fleetPlaces = (fleet: Fleet): Place[] => [
  ...fleet.racks.map((_, i) => placeOf(fleet, "rack", i)),
  ...fleet.nodes.map((_, i) => placeOf(fleet, "node", i)),
];
