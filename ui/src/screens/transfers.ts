/** All copies of the run: what their blocks waited for, and each one, sorted and filtered. */
import { h, on, type Child } from "../base/dom";
import { allTransfers } from "../base/drill";
import { bytes, num } from "../base/numbers";
import { pick, picked, pickedNumber } from "../base/selection";
import { rowsTable } from "../parts/rows";
import { blank, section } from "../parts/section";
import { shares } from "../parts/shares";
import { type Drill } from "../report";
import { below, type Screen } from "./screen";
import { heldCauses, keeps, limitKinds, transferColumns } from "./transfers-table";

interface Choice {
  value: string;
  words: string;
}

function select(name: string, label: string, any: string, choices: Choice[]): HTMLElement | null {
  if (choices.length < 2) return null;
  const now = picked(name);
  const node = h(
    "select",
    {},
    h("option", { value: "" }, any),
    ...choices.map((c) => h("option", { value: c.value, selected: c.value === now }, c.words)),
  );
  on(node, "change", () => pick({ [name]: node.value }));
  return h("label", {}, `${label} `, node);
}

function filters(drill: Drill): HTMLElement {
  const words = h("input", {
    type: "search",
    placeholder: "block or node",
    value: picked("q") ?? "",
  });
  on(words, "input", () => pick({ q: words.value }, true));
  const held = heldCauses(drill).map((place) => ({
    value: String(place),
    words: drill.causes[place]?.name ?? "?",
  }));
  const kinds = limitKinds(drill).map((kind) => ({ value: kind, words: kind }));
  return h(
    "div",
    { class: "tools" },
    h("label", {}, "Filter ", words),
    select("held", "queued for", "anything", held),
    select("limit", "limited by", "anything", kinds),
  );
}

/** What all blocks waited for, not only the last one. */
function blocked({ report, life }: Screen): HTMLElement | null {
  const all = report.drill.blocked ?? [];
  if (all.length === 0) return null;
  const { root, fig } = section({
    part: "shares",
    title: "What all blocks waited for",
    qualifier: "mean over blocks; the verdict has the last block’s path",
    class: "c7 w6",
  });
  shares(life, fig, { label: "Shares of all blocks’ waits", height: 230, shares: all });
  return root;
}

function table({ report, life }: Screen): HTMLElement {
  const { drill, since } = report;
  const all = allTransfers(drill);
  const { root, fig } = section({
    part: "transfers",
    title: "Transfers",
    qualifier: `${drill.of}; seconds ${since}; a head sorts`,
    tags: report.chart_tags?.drill ?? [],
  });
  if (all.length === 0) {
    fig.append(blank("No block was copied in this run."));
    return root;
  }
  root.insertBefore(filters(drill), fig);
  rowsTable(life, fig, {
    columns: transferColumns(drill),
    rows: () => {
      const filter = { q: picked("q"), held: pickedNumber("held"), limit: picked("limit") };
      return all.filter((t) => keeps(drill, filter, t));
    },
    all: all.length,
    many: "transfers",
    first: "start",
  });
  return root;
}

export function transfersScreen(screen: Screen): Child[] {
  const { drill } = screen.report;
  const moved = drill.transfers.bytes.reduce((a, b) => a + b, 0);
  const copies = drill.transfers.block.length;
  const words = [h("b", {}, num(copies)), ` ${copies === 1 ? "copy was" : "copies were"} made`];
  const body = [blocked(screen), table(screen)].filter((node) => node !== null);
  return below(
    screen.report,
    "transfers",
    [drill.of],
    [...words, copies > 0 ? `, ${bytes(moved)}.` : "."],
    body,
  );
}
