/** What a reader types finds what he means. */
import { describe, expect, test } from "vitest";
import { matches, type Place } from "../../src/parts/search";

const place = (name: string, beside: string): Place => ({ name, beside, path: [beside, name] });
const PLACES = [
  place("dn-04:8042", "node job_1"),
  place("m_000003", "task job_1"),
  place("am_000003", "task job_1"),
  place("job_1", "job"),
];
const names = (words: string): string[] => matches(PLACES, words).map((p) => p.name);

describe("matches", () => {
  test("names that begin so stand first, then those that have it, then what stands beside", () => {
    expect(names("m_0")).toEqual(["m_000003", "am_000003"]);
    expect(names("JOB_1")).toEqual(["job_1", "dn-04:8042", "m_000003", "am_000003"]);
    expect(names("n-04")).toEqual(["dn-04:8042"]);
  });

  test("nothing typed finds nothing, and neither does what is not there", () => {
    expect(names("  ")).toEqual([]);
    expect(names("m_9")).toEqual([]);
  });
});
