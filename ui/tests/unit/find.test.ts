/** Names as readers write them. */
import { describe, expect, test } from "vitest";
import { changes, find, nearest, writtenAll } from "../../src/base/find";

const NODES = ["dn01.shop.example:9866", "dn02.shop.example:9866", "dn10.shop.example:9866"];

describe("find", () => {
  test("the whole name, without its port, without its domain, in capitals", () => {
    for (const words of [
      "dn02.shop.example:9866",
      "dn02.shop.example",
      "DN02.Shop.Example:50010",
      "dn02",
      "dn02:1004",
      "1",
    ])
      expect(find(NODES, words), words).toEqual({ at: 1 });
  });

  test("racks by their path or its end", () => {
    const racks = ["/dc1/rack1", "/dc1/rack2", "/dc2/rack1"];
    for (const words of ["/dc1/rack2", "dc1/rack2", "rack2"])
      expect(find(racks, words), words).toEqual({ at: 1 });
    expect(find(racks, "rack1")).toEqual({ near: [0, 2] });
  });

  test("addresses are not cut at their dots", () => {
    expect(find(["10.0.0.1:9866", "10.0.0.2:9866"], "10.0.0.2")).toEqual({ at: 1 });
    expect(find(["10.0.0.1", "10.0.0.2"], "10.0.0.7")).toHaveProperty("near");
  });

  test("two daemons on one host are both offered", () => {
    expect(find(["a:1", "a:2", "b:1"], "a")).toEqual({ near: [0, 1] });
    expect(find(["a:1", "a:2", "b:1"], "a:2")).toEqual({ at: 1 });
  });

  test("unknown ones: the nearest first", () => {
    expect(nearest(["dn01", "dn02", "nn01"], "dn03")).toEqual([0, 1, 2]);
    expect(find(["dn01", "dn02", "nn01"], "nn02")).toEqual({ near: [1, 2, 0] });
    expect(changes("kitten", "sitting")).toBe(3);
  });

  test("what an address says is found again, also where names repeat", () => {
    for (const names of [NODES, ["/r1", "/r2"], ["a", "b", "a"], ["", "x"]])
      writtenAll(names).forEach((name, i) => expect(find(names, name)).toEqual({ at: i }));
  });
});
