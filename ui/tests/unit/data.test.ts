import { describe, expect, test } from "vitest";
import { FIXTURES } from "../../fixtures/index";
import { fleetOf } from "../../fixtures/blocks";
import { fill, PLACEHOLDER } from "../../fixtures/page";
import { type Fleet } from "../../src/page";
import { readData } from "../../src/base/data";
import { formatPlace, href, parsePlace } from "../../src/base/selection";
import { fleetPage, lists } from "../../src/fleet/pages";
import { allTransfers, cellCount, meanUse, shortNode, useOf } from "../../src/fleet/look";

describe("the data in the page", () => {
  test("nothing, broken JSON, another version and another screen are told apart", () => {
    expect(readData("{}").kind).toBe("none");
    expect(readData(" ").kind).toBe("none");
    expect(readData(null).kind).toBe("none");
    expect(readData('{"version": 1,')).toMatchObject({
      kind: "bad",
      todo: expect.stringContaining("incomplete"),
    });
    expect(readData('{"version": 7}')).toMatchObject({
      kind: "bad",
      what: expect.stringContaining("7"),
    });
    expect(readData('{"version": 1, "screen": "jobs"}')).toMatchObject({
      kind: "bad",
      what: expect.stringContaining("jobs"),
    });
    expect(readData('{"version": 1, "screen": "node-lost"}')).toMatchObject({
      kind: "bad",
      todo: expect.stringContaining("again"),
    });
    expect(readData('{"version": 2, "screen": "node-lost"}').kind).toBe("page");
    expect(readData('{"version": 1, "screen": "diff"}').kind).toBe("bad");
  });

  test("what looks like markup stays data", () => {
    const report = FIXTURES["small"]!();
    report.crumbs = ["</script><b>", "$&", "x"];
    const html = fill(`<p>${PLACEHOLDER}</p>`, report);
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    const json = html.slice(html.indexOf('json">') + 6, html.indexOf("</script>"));
    expect(readData(json)).toMatchObject({
      page: { head: { crumbs: ["</script><b>", "$&", "x"] } },
    });
  });
});

describe("the place in the URL", () => {
  test("goes there and back", () => {
    for (const place of [
      { path: [], picks: {} },
      { path: ["node", "13"], picks: { x: "4" } },
      { path: ["a/b", "ü"], picks: { q: "dn-r2 &=#" } },
    ]) {
      expect(parsePlace(formatPlace(place))).toEqual(place);
    }
    expect(href("rack", 2)).toBe("#/rack/2");
    expect(formatPlace({ path: ["transfers"], picks: { limit: "disk" } })).toBe(
      "#/transfers?limit=disk",
    );
    expect(parsePlace("")).toEqual({ path: [], picks: {} });
    expect(parsePlace("#/%E0%A4%A")).toEqual({ path: ["%E0%A4%A"], picks: {} });
  });
});

describe("the drill-down", () => {
  test("the domain that all hosts share is left out, addresses stay", () => {
    const named = (...names: string[]) => {
      const of = { nodes: names.map((name) => ({ name })) } as Fleet;
      return names.map((_, i) => shortNode(of, i));
    };
    expect(named("a1.shop.example", "a2.shop.example")).toEqual(["a1", "a2"]);
    expect(named("a1.x.example", "a2.y.example")).toEqual(["a1.x", "a2.y"]);
    expect(named("a1", "a2.y.example")).toEqual(["a1", "a2.y.example"]);
    expect(named("10.0.1.3:9866", "10.0.2.3:9866")).toEqual(["10.0.1.3:9866", "10.0.2.3:9866"]);
  });

  const fleet = fleetOf(FIXTURES["small"]!());
  test("every transfer lies within the run, in its order of start", () => {
    const all = allTransfers(fleet);
    expect(all).toHaveLength(60);
    all.forEach((t, i) => {
      expect(t.decided_s).toBeLessThanOrEqual(t.start_s);
      expect(t.start_s).toBeLessThan(t.end_s);
      expect(t.end_s).toBeLessThanOrEqual(cellCount(fleet) * fleet.cell_s);
      if (i > 0) expect(t.start_s).toBeGreaterThanOrEqual(all[i - 1]!.start_s);
    });
  });

  test("utilisation is 0–1 and as long as the run, also where it was idle", () => {
    fleet.resources.forEach((_, i) => {
      const use = useOf(fleet, i);
      expect(use).toHaveLength(cellCount(fleet));
      expect(use.every((v) => v >= 0 && v <= 1)).toBe(true);
    });
    const [a, b] = [useOf(fleet, 0), useOf(fleet, 1)];
    expect(meanUse(fleet, [0, 1])[5]).toBeCloseTo((a[5]! + b[5]!) / 2, 9);
  });

  test("each rack and node has a page at the address that others link to", () => {
    fleet.nodes.forEach(({ name }) => {
      const found = fleetPage(fleet, ["node", name]);
      expect(found && "page" in found && found.page.crumb).toBe(name);
    });
    expect(fleetPage(fleet, ["nodes"])).toMatchObject({ page: { path: "nodes" } });
    expect(fleetPage(fleet, ["task", "1"])).toBe(null);
    const rack = fleetPage(fleet, ["rack", "rack1"]);
    const list = rack && "page" in rack ? rack.page.sections[1]! : null;
    const rows = list?.kind === "list" ? list.rows : [];
    expect(rows).toHaveLength(fleet.nodes.length);
    for (const [first] of rows) {
      const path = first!.open!.split("/");
      expect(fleetPage(fleet, path)).toMatchObject({ page: { path: first!.open } });
    }
  });

  test("without copies and racks, no page has words about them", () => {
    const { block, source, target, ...rest } = fleet.operations;
    const operations = { ...rest, block: [], source: [], target: [] };
    const nodes = fleet.nodes.map((n) => ({ ...n, alive: true, sent_bytes: 0 }));
    const plain = { ...fleet, racks: [], operations, causes: [], waited: [], nodes };
    expect([block, source, target].every((column) => column.length > 0)).toBe(true);
    expect(lists(plain).map((l) => l.name)).toEqual(["Nodes"]);
    expect(fleetPage(plain, ["transfers"])).toBe(null);
    const { name } = plain.nodes.find((_, i) => useOf(plain, i).some((v) => v > 0))!;
    const pages = [fleetPage(plain, ["nodes"]), fleetPage(plain, ["node", name])];
    for (const found of pages) {
      const words = JSON.stringify(found && "page" in found ? found.page : found);
      expect(words).not.toMatch(/block|cop(y|ies)|transfer|\bsent\b|receive|lost|rack/i);
    }
    expect(pages[1]).toMatchObject({ page: { sections: [{ id: "multiples" }] } });
  });
});
