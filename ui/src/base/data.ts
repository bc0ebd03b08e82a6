/** The data that the command line put into this page. */
import { type Page } from "../page";

export type Read =
  | { kind: "page"; page: Page }
  | { kind: "none" }
  | { kind: "bad"; what: string; expected: string; todo: string };

const AGAIN = "Make the report again with this page's version of tenbin.";

/** Reads the embedded JSON; says what is wrong with it rather than failing. */
export function readData(text: string | null | undefined): Read {
  if (!text || text.trim() === "" || text.trim() === "{}") return { kind: "none" };
  let data: { version?: unknown; screen?: unknown };
  try {
    data = JSON.parse(text) as { version?: unknown; screen?: unknown };
  } catch (error) {
    return {
      kind: "bad",
      what: `The data in this file cannot be read: ${String(error)}`,
      expected: "JSON of one report.",
      todo: "The file may be incomplete. Copy or make the report again.",
    };
  }
  if (data.version === 2) return { kind: "page", page: data as unknown as Page };
  const older = data.version === 1 ? ` and is for the screen “${String(data.screen)}”` : "";
  return {
    kind: "bad",
    what: `The data has version ${String(data.version)}${older}.`,
    expected: "Version 2.",
    todo: AGAIN,
  };
}
