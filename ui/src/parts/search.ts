/** Finds a page below this one by what a reader calls it: "m_000003", "dn-04", "TeraSort". */
import { h, on, type Life } from "../base/dom";
import { href } from "../base/selection";

/** What can be gone to. */
export interface Place {
  name: string;
  /** Words that stand beside it, and are searched as well. */
  beside: string;
  path: string[];
}

/** As many as are read at a glance. */
const MOST = 8;

/** Places whose name has these words: those that begin with them first, then in their own order;
 * after them those that only have them beside their name. */
export function matches(places: Place[], words: string): Place[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  const rank = ({ name, beside }: Place): number => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at >= 0) return at === 0 ? 0 : 1;
    return beside.toLowerCase().includes(wanted) ? 2 : 3;
  };
  const ranked = places.map((place, i) => ({ place, i, rank: rank(place) }));
  return ranked
    .filter((found) => found.rank < 3)
    .sort((a, b) => a.rank - b.rank || a.i - b.i)
    .map((found) => found.place);
}

/** A field, and what it finds below it. "/" goes to the field, Enter to the first, Esc away. */
export function search(life: Life, places: Place[]): HTMLElement {
  const field = h("input", {
    type: "search",
    placeholder: "Find  /",
    "aria-label": `Find one of ${places.length} pages`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const list = h("ul", { hidden: true });
  const form = h("form", { class: "find", role: "search", "data-part": "find" }, field, list);
  const show = (): void => {
    const found = matches(places, field.value);
    list.hidden = field.value.trim() === "";
    const links = found.slice(0, MOST).map((place) => {
      const name = h("a", { href: href(...place.path) }, place.name);
      return h("li", {}, name, h("span", {}, place.beside));
    });
    const more = found.length - MOST;
    const note = found.length === 0 ? "No match." : more > 0 && `${more} more`;
    list.replaceChildren(...links, ...(note ? [h("li", { class: "note" }, note)] : []));
  };
  const away = (): void => {
    field.value = "";
    show();
    field.blur();
  };
  on(field, "input", show);
  on(form, "submit", (event) => {
    event.preventDefault();
    const first = matches(places, field.value)[0];
    if (first) location.hash = href(...first.path);
  });
  on(field, "keydown", (event) => {
    event.stopPropagation();
    if ((event as KeyboardEvent).key === "Escape") away();
  });
  const slash = (event: KeyboardEvent): void => {
    const typing = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    field.focus();
  };
  document.addEventListener("keydown", slash);
  life.add(() => document.removeEventListener("keydown", slash));
  return form;
}
