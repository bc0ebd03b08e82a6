/** A section that is made here, as the data has others. */
import { type Body, type Section } from "../page";

export const sectionOf = (id: string, title: string, qualifier: string, body: Body): Section => ({
  ...{ id, title, qualifier, tags: [], width: "full", empty: null, note: [] },
  ...body,
});

/** With a reason in place of its picture. */
export const without = (section: Section, why: string, fill = ""): Section => ({
  ...section,
  empty: { why, fill },
});
