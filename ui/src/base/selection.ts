/** Where the reader is and what is selected, both in the URL's hash: "#/node/13?cause=1".
 * Esc clears the selection; Back undoes it. */
import { Signal } from "./dom";

export interface Place {
  /** "rack", "2". */
  path: string[];
  picks: Record<string, string>;
}

export function parsePlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  return {
    path: path.split("/").filter(Boolean).map(decode),
    picks: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** A broken escape stays as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function formatPlace({ path, picks }: Place): string {
  const query = new URLSearchParams(picks).toString();
  return `#/${path.map(encodeURIComponent).join("/")}${query ? `?${query}` : ""}`;
}

/** The address of a screen. */
export const href = (...path: (string | number)[]): string =>
  formatPlace({ path: path.map(String), picks: {} });

export const place = new Signal<Place>({ path: [], picks: {} });
/** The second under the pointer, in all charts of one time axis. */
export const hovered = new Signal<number | null>(null);

export const picked = (name: string): string | null => place.value.picks[name] ?? null;

/** Selects, or with null clears. A search that is being typed replaces its own history entry. */
export function pick(changes: Record<string, string | null>, replace = false): void {
  const picks = { ...place.value.picks };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") delete picks[name];
    else picks[name] = value;
  }
  const hash = formatPlace({ path: place.value.path, picks });
  if (replace) location.replace(hash);
  else location.hash = hash;
}

/** The zoomed part of the time axis [s], of a chart that begins at `least`; null: it shows all. */
export function zoomed(least = 0): [number, number] | null {
  const [start, to] = (picked("t") ?? "").split("~").map(Number);
  const from = Math.max(start ?? NaN, least);
  return to !== undefined && to > from ? [from, to] : null;
}

export const zoom = (from: number, to: number): void =>
  pick({ t: `${from.toFixed(2)}~${to.toFixed(2)}` });

export function watchPlace(): void {
  place.set(parsePlace(location.hash));
  addEventListener("hashchange", () => place.set(parsePlace(location.hash)));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    hovered.set(null);
    if (Object.keys(place.value.picks).length > 0) {
      location.hash = formatPlace({ path: place.value.path, picks: {} });
    }
  });
}
