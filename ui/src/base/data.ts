/** The data that the command line put into this page. */
import { type Diff } from "../diff";
import { type Page } from "../page";
import { type Report } from "../report";

export type Read =
  | { kind: "report"; report: Report }
  | { kind: "diff"; diff: Diff }
  | { kind: "page"; page: Page }
  | { kind: "none" }
  | { kind: "bad"; what: string; expected: string; todo: string };

const AGAIN = "Make the report again with the tenbin that this page came from.";

/** Reads the embedded JSON; says what is wrong with it rather than failing. */
export function readData(text: string | null | undefined): Read {
  if (!text || text.trim() === "" || text.trim() === "{}") return { kind: "none" };
  let data: Partial<Report> | Partial<Diff>;
  try {
    data = JSON.parse(text) as Partial<Report> | Partial<Diff>;
  } catch (error) {
    return {
      kind: "bad",
      what: `The data in this file cannot be read: ${String(error)}`,
      expected: "JSON of one report.",
      todo: "The file may be cut. Copy it again, or make it again.",
    };
  }
  if ((data.version as number) === 2) return { kind: "page", page: data as unknown as Page };
  if (data.version !== 1) {
    return {
      kind: "bad",
      what: `The data has version ${String(data.version)}.`,
      expected: "Version 1 or 2.",
      todo: AGAIN,
    };
  }
  if (data.screen === "diff") return { kind: "diff", diff: data as Diff };
  if (data.screen !== "node-lost") {
    return {
      kind: "bad",
      what: `The data is for the screen “${String(data.screen)}”.`,
      expected: "“node-lost” or “diff”.",
      todo: AGAIN,
    };
  }
  return { kind: "report", report: data as Report };
}
