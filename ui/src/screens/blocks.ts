/** The screen of any system: its page's blocks, and the pages below it. */
import { h, type Child, type Life } from "../base/dom";
import { href } from "../base/selection";
import { block, spansOf } from "../blocks/section";
import { head } from "../blocks/head";
import { fitted } from "../blocks/layout";
import { fleetPage, fleetPlaces, lists } from "../fleet/pages";
import { provenance } from "../parts/provenance";
import { search, type Place } from "../parts/search";
import { sentence } from "../parts/spans";
import { top } from "../parts/top";
import { facts } from "../parts/verdict";
import { type Below, type Page, type Section } from "../page";

/** So many pages below have room in the line on top. */
const MOST_LINKS = 5;

/** What stands on top of all of a page's screens. */
function topOf(page: Page, more: string[], life: Life): Child[] {
  const { head, drill, fleet, foot } = page;
  // Of many pages those on top would be the first by chance: the field finds them all.
  const linked = drill.filter((b) => b.link !== null);
  const named = linked.length > MOST_LINKS ? [] : linked;
  const own = named.map((b) => ({ name: b.link ?? "", path: b.path.split("/") }));
  const places = [...drill.map(placeOf), ...(fleet ? fleetPlaces(fleet) : [])];
  return top(
    {
      ...{ crumbs: head.crumbs, tags: head.tags, links: foot.links, download: page },
      below: [...own, ...(fleet ? lists(fleet) : [])],
      find: places.length > 1 ? search(life, places) : null,
    },
    more,
  );
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

function body(life: Life, all: Section[]): HTMLElement {
  const sections = fitted(all);
  const wide = wideClasses(sections);
  const bands = () => spansOf(sections);
  // What finds room beside earlier ones on a wide page, or on a narrow one, stands there.
  const dense = sections.some((s) => s.wide !== undefined);
  const blocks = sections.map((s, i) => block(life, s, bands, wide[i]));
  return h("div", { class: dense ? "row dense" : "row" }, ...blocks);
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
function nowhere(page: Page, what: string, near: Place[], life: Life): Child[] {
  const all = near.length > 0 ? near : page.drill.slice(0, 5).map(placeOf);
  const links = all.flatMap(({ name, path }, i): Child[] => {
    return [i > 0 && ", ", h("a", { href: href(...path) }, name)];
  });
  const words = near.length > 0 ? "Nearest: " : "There are: ";
  return [
    ...topOf(page, [what], life),
    h("a", { class: "back", href: href(), "data-part": "back" }, "‹ Back to the verdict"),
    h("h1", { class: "small" }, `There is no ${what} in this report.`),
    links.length > 0 && h("p", { "data-part": "near" }, words, ...links, "."),
    provenance(page.foot),
  ];
}

export function blocksScreen(page: Page, path: string[], life: Life): Child[] {
  const words = path.join("/");
  const found = page.drill.find((b) => b.path === words);
  if (found) return below(page, found, life);
  const made = page.fleet ? fleetPage(page.fleet, path) : null;
  if (made && "page" in made) return below(page, made.page, life);
  if (made) return nowhere(page, made.what, made.near, life);
  if (words !== "") return nowhere(page, `page “${words}”`, [], life);
  return [
    ...topOf(page, [], life),
    head(life, page.head),
    body(life, page.sections),
    provenance(page.foot),
  ];
}
