/** The screen of any system: its page's blocks, and the pages below it. */
import { h, type Child, type Life } from "../base/dom";
import { href } from "../base/selection";
import { block, spansOf } from "../blocks/section";
import { head } from "../blocks/head";
import { provenance } from "../parts/provenance";
import { search, type Place } from "../parts/search";
import { sentence } from "../parts/spans";
import { top } from "../parts/top";
import { facts } from "../parts/verdict";
import { type Below, type Page, type Section } from "../page";

/** What stands on top of all of a page's screens. */
function topOf(page: Page, crumbs: string[], life: Life): Child[] {
  const frame = {
    version: 1 as const,
    screen: page.screen,
    crumbs: page.head.crumbs,
    since: "",
    tags: page.head.tags,
    ...page.foot,
  };
  const named = page.drill.filter((b) => b.link !== null);
  const below = named.map((b) => ({ name: b.link ?? "", path: b.path.split("/") }));
  const find = page.drill.length > 1 ? search(life, page.drill.map(placeOf)) : null;
  return top(frame, crumbs, { download: page, below, find });
}

function placeOf(below: Below): Place {
  const path = below.path.split("/");
  // "task", "node", "job": what its page is of.
  const beside = [path[0] ?? "", ...path.slice(1, -1)].join(" ");
  return { name: below.crumb, beside, path };
}

/** Three halves or thirds that follow each other make one row of a wide page. */
export function wideClasses(sections: Section[]): string[] {
  const classes = sections.map(() => "");
  for (let i = 0; i < sections.length;) {
    let n = 0;
    while (sections[i + n]?.width === "half") n++;
    // An even number stands in rows of two, as it does on a narrow page; three make one row.
    if (n === 3) for (let k = 0; k < 3; k++) classes[i + k] = "w4";
    i += Math.max(1, n);
  }
  return classes;
}

function body(life: Life, sections: Section[]): HTMLElement {
  const wide = wideClasses(sections);
  const bands = () => spansOf(sections);
  return h("div", { class: "row" }, ...sections.map((s, i) => block(life, s, bands, wide[i])));
}

function below(page: Page, data: Below, life: Life): Child[] {
  return [
    ...topOf(page, [data.crumb], life),
    h("a", { class: "back", href: href(), "data-part": "back" }, "‹ Back to the verdict"),
    facts(data.facts),
    h("h1", { class: "small" }, ...sentence(data.sentence)),
    body(life, data.sections),
    provenance(page.foot),
  ];
}

/** An address that leads nowhere, and the pages that there are. */
function nowhere(page: Page, path: string, life: Life): Child[] {
  const links = page.drill.slice(0, 5).flatMap((b, i): Child[] => {
    const link = h("a", { href: href(...b.path.split("/")) }, b.crumb);
    return [i > 0 && ", ", link];
  });
  return [
    ...topOf(page, [path], life),
    h("a", { class: "back", href: href(), "data-part": "back" }, "‹ Back to the verdict"),
    h("h1", { class: "small" }, `There is no page “${path}” in this report.`),
    links.length > 0 && h("p", { "data-part": "near" }, "There are: ", ...links, "."),
    provenance(page.foot),
  ];
}

export function blocksScreen(page: Page, path: string[], life: Life): Child[] {
  const words = path.join("/");
  const found = page.drill.find((b) => b.path === words);
  if (found) return below(page, found, life);
  if (words !== "") return nowhere(page, words, life);
  return [
    ...topOf(page, [], life),
    head(life, page.head),
    body(life, page.sections),
    provenance(page.foot),
  ];
}
