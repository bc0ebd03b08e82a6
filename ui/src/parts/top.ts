/** The line on top of every screen: where one is, and what else there is. */
import { h, on, s, type Child } from "../base/dom";
import { width } from "../base/measure";
import { href, place } from "../base/selection";
import { toggleTheme } from "../base/theme";
import { type Link } from "../page";
import { tagOf } from "./section";

/** Tags that do not fit between crumbs and links on a narrow page stand below them. */
const ROOM = 1216;
const word = (words: string): number => width(words, "500 13px Inter");
const inLine = (crumbs: string[], { below, links = [], find, tags }: TopOf): boolean => {
  const names = ["tenbin", "JSON", ...[...below, ...links].map((l) => l.name)];
  const field = find ? 190 : 0;
  const fixed = [...crumbs, ...names].reduce((a, w) => a + word(w) + 24, 60 + field);
  return tags.reduce((a, w) => a + word(w) + 28, fixed) < ROOM;
};

const stroke = { fill: "none", stroke: "currentColor", "stroke-width": 1.5, "aria-hidden": "true" };

const scales = (): SVGElement =>
  s(
    "svg",
    {
      width: 18,
      height: 18,
      viewBox: "0 0 18 18",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
      ...stroke,
    },
    s("path", { d: "M9 2.5v12M5.5 14.5h7M3 4.5h12M3 4.5 1 9.5h4zM15 4.5l-2 5h4z" }),
  );

const halfMoon = (): SVGElement =>
  s(
    "svg",
    { width: 14, height: 14, viewBox: "0 0 14 14", ...stroke },
    s("circle", { cx: 7, cy: 7, r: 5.5 }),
    s("path", { d: "M7 1.5a5.5 5.5 0 0 1 0 11z", fill: "currentColor" }),
  );

/** The embedded data as a file. */
function download({ crumbs, download: data }: TopOf): void {
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }),
  );
  const name = crumbs.join("-").replace(/[^\w.-]+/g, "-") || "report";
  h("a", { href: address, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** What the line says of a page. */
export interface TopOf {
  crumbs: string[];
  tags: string[];
  links?: Link[];
  /** The data, for a click on JSON. */
  download: unknown;
  /** Pages that are linked. */
  below: { name: string; path: string[] }[];
  /** A field that finds pages. */
  find: HTMLElement | null;
}

function links(of: TopOf): HTMLElement {
  const to = (name: string, ...path: string[]) => {
    const current = place.value.path.join("/") === path.join("/");
    return h("a", { href: href(...path), "aria-current": current ? "page" : null }, name);
  };
  const json = h("a", { href: "#", role: "button", title: "The numbers of this page" }, "JSON");
  on(json, "click", (event) => {
    event.preventDefault();
    download(of);
  });
  const theme = h(
    "button",
    { type: "button", class: "theme", "aria-label": "Light or dark", title: "Light or dark" },
    halfMoon(),
  );
  on(theme, "click", toggleTheme);
  const files = (of.links ?? [])
    .filter((link) => !/^\s*(javascript|data):/i.test(link.href))
    .map((link) => h("a", { href: link.href }, link.name));
  const named = of.below.map(({ name, path }) => to(name, ...path));
  return h("nav", {}, of.find, ...named, json, ...files, theme);
}

/** `more` are the crumbs below the page's own. */
export function top(of: TopOf, more: string[] = []): Child[] {
  const crumbs = [...of.crumbs, ...more];
  const trail = crumbs.flatMap((words, i) => {
    const here = i === crumbs.length - 1;
    const overview = i === of.crumbs.length - 1 && !here;
    const crumb = overview ? h("a", { href: "#/" }, words) : words;
    return [
      h("span", { class: "slash" }, "/"),
      h("span", { class: here ? "crumb here" : "crumb", title: words }, crumb),
    ];
  });
  const beside = inLine(crumbs, of);
  const tags = of.tags.map(tagOf);
  const header = h(
    "header",
    { class: "top", "data-part": "top" },
    h("span", { class: "mark" }, scales(), "tenbin"),
    ...trail,
    h("span", { class: "gap" }),
    ...(beside ? tags : []),
    links(of),
  );
  return [header, !beside && h("div", { class: "tags" }, ...tags)];
}
