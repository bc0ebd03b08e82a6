/** The line on top of every screen: where one is, and what else there is. */
import { h, on, s, type Child } from "../base/dom";
import { width } from "../base/measure";
import { href, place } from "../base/selection";
import { toggleTheme } from "../base/theme";
import { type Page } from "../report";
import { tagOf } from "./section";

/** Tags that do not fit between crumbs and links on a narrow page stand below them. */
const ROOM = 1216;
const word = (words: string): number => width(words, "500 13px Inter");
const inLine = (crumbs: string[], report: Page): boolean => {
  const names = [
    "tenbin",
    "Nodes",
    "Transfers",
    "JSON",
    ...(report.links ?? []).map((l) => l.name),
  ];
  const fixed = [...crumbs, ...names].reduce((a, w) => a + word(w) + 24, 60);
  return report.tags.reduce((a, w) => a + word(w) + 28, fixed) < ROOM;
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
function download(report: Page, data: unknown): void {
  const address = URL.createObjectURL(
    new Blob([JSON.stringify(data, null, 1)], { type: "application/json" }),
  );
  const name = report.crumbs.join("-").replace(/[^\w.-]+/g, "-") || "report";
  h("a", { href: address, download: `${name}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Another page's own data and the pages below it. */
export interface TopOf {
  download: unknown;
  below: { name: string; path: string[] }[];
  /** A field that finds them. */
  find: HTMLElement | null;
}

function links(report: Page, of?: TopOf): HTMLElement {
  const here = place.value.path[0];
  const to = (name: string, ...path: string[]) => {
    const current = of ? place.value.path.join("/") === path.join("/") : here === path[0];
    return h("a", { href: href(...path), "aria-current": current ? "page" : null }, name);
  };
  const json = h("a", { href: "#", role: "button", title: "The numbers of this page" }, "JSON");
  on(json, "click", (event) => {
    event.preventDefault();
    download(report, of?.download ?? report);
  });
  const theme = h(
    "button",
    { type: "button", class: "theme", "aria-label": "Light or dark", title: "Light or dark" },
    halfMoon(),
  );
  on(theme, "click", toggleTheme);
  const files = (report.links ?? [])
    .filter((link) => !/^\s*(javascript|data):/i.test(link.href))
    .map((link) => h("a", { href: link.href }, link.name));
  const named = of?.below.map(({ name, path }) => to(name, ...path));
  const own = report.screen === "diff" ? [] : [to("Nodes", "nodes"), to("Transfers", "transfers")];
  return h("nav", {}, of?.find, ...(named ?? own), json, ...files, theme);
}

/** `more` are the crumbs below the report's own. */
export function top(report: Page, more: string[] = [], of?: TopOf): Child[] {
  const crumbs = [...report.crumbs, ...more];
  const trail = crumbs.flatMap((words, i) => {
    const here = i === crumbs.length - 1;
    const overview = i === report.crumbs.length - 1 && !here;
    const crumb = overview ? h("a", { href: "#/" }, words) : words;
    return [
      h("span", { class: "slash" }, "/"),
      h("span", { class: here ? "crumb here" : "crumb", title: words }, crumb),
    ];
  });
  const beside = inLine(crumbs, report);
  const tags = report.tags.map(tagOf);
  const header = h(
    "header",
    { class: "top", "data-part": "top" },
    h("span", { class: "mark" }, scales(), "tenbin"),
    ...trail,
    h("span", { class: "gap" }),
    ...(beside ? tags : []),
    links(report, of),
  );
  return [header, !beside && h("div", { class: "tags" }, ...tags)];
}
