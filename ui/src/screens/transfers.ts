/** All copies of the run, sorted and filtered. */
import { h, on, type Child } from "../base/dom";
import { allTransfers, blockName, nodeName, type Transfer } from "../base/drill";
import { shortName } from "../base/keys";
import { bytes, num } from "../base/numbers";
import { pick, picked, pickedNumber } from "../base/selection";
import { blank, section } from "../parts/section";
import { rowsTable, type RowColumn } from "../parts/rows";
import { swatch } from "../parts/spans";
import { type Drill } from "../report";
import { below, link, type Screen } from "./screen";

/** Whether a transfer has the words in its block or one of its nodes. */
export const matches = (drill: Drill, t: Transfer, words: string): boolean =>
  [blockName(t.block), nodeName(drill, t.source), nodeName(drill, t.target)].some((name) =>
    name.toLowerCase().includes(words.toLowerCase()),
  );

function columns(drill: Drill): RowColumn<Transfer>[] {
  const seconds = (
    id: string,
    head: string,
    value: (t: Transfer) => number,
  ): RowColumn<Transfer> => ({
    id,
    head,
    sort: value,
    cell: (t) => num(value(t), 2),
  });
  const end = (
    id: string,
    head: string,
    node: (t: Transfer) => number,
    disk: (t: Transfer) => number,
  ): RowColumn<Transfer> => ({
    id,
    head,
    left: true,
    sort: (t) => nodeName(drill, node(t)),
    cell: (t) =>
      h(
        "span",
        {},
        link(nodeName(drill, node(t)), "node", node(t)),
        h("span", { class: "dim" }, ` disk ${disk(t)}`),
      ),
  });
  const cause = (t: Transfer): Child => {
    const of = drill.causes[t.cause];
    return of ? h("span", { title: of.name }, swatch(of.kind), shortName(of.name)) : "?";
  };
  return [
    {
      id: "block",
      head: "Block",
      left: true,
      sort: (t) => t.block,
      cell: (t) => h("code", {}, blockName(t.block)),
    },
    end(
      "from",
      "From",
      (t) => t.source,
      (t) => t.source_disk,
    ),
    end(
      "to",
      "To",
      (t) => t.target,
      (t) => t.target_disk,
    ),
    seconds("decided", "Queued until, s", (t) => t.decided_s),
    seconds("start", "Start, s", (t) => t.start_s),
    seconds("end", "End, s", (t) => t.end_s),
    { ...seconds("took", "Took, s", (t) => t.end_s - t.start_s), down: true },
    { id: "size", head: "Size", down: true, sort: (t) => t.bytes, cell: (t) => bytes(t.bytes) },
    { id: "cause", head: "Waited for", left: true, sort: (t) => t.cause, cell: cause },
  ];
}

function filters(drill: Drill): HTMLElement {
  const words = h("input", {
    type: "search",
    placeholder: "block or node",
    "aria-label": "Block or node",
    value: picked("q") ?? "",
  });
  on(words, "input", () => pick({ q: words.value }, true));
  const cause = h(
    "select",
    { "aria-label": "Waited for" },
    h("option", { value: "" }, "any cause"),
    ...drill.causes.map((c, i) =>
      h("option", { value: i, selected: pickedNumber("cause") === i }, c.name),
    ),
  );
  on(cause, "change", () => pick({ cause: cause.value }));
  return h(
    "div",
    { class: "tools" },
    h("label", {}, "Filter ", words),
    h("label", {}, "waited for ", cause),
  );
}

export function transfersScreen({ report, life }: Screen): Child[] {
  const { drill } = report;
  const all = allTransfers(drill);
  const { root, fig } = section({
    part: "transfers",
    title: "Transfers",
    qualifier: `${drill.of}; seconds since declared dead; a head sorts`,
    tags: report.chart_tags?.drill ?? [],
  });
  const moved = all.reduce((a, t) => a + t.bytes, 0);
  if (all.length === 0) fig.append(blank("No block was copied in this run."));
  else {
    root.insertBefore(filters(drill), fig);
    rowsTable(life, fig, {
      columns: columns(drill),
      rows: () => {
        const [q, cause] = [picked("q"), pickedNumber("cause")];
        return all.filter(
          (t) => (q === null || matches(drill, t, q)) && (cause === null || t.cause === cause),
        );
      },
      all: all.length,
      many: "transfers",
      first: "start",
    });
  }
  return below(
    report,
    "transfers",
    [drill.of],
    [h("b", {}, num(all.length)), ` blocks were copied, ${bytes(moved)}.`],
    [root],
  );
}
