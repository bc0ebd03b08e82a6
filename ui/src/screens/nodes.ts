/** All nodes of the run. */
import { h, type Child } from "../base/dom";
import { count, num } from "../base/numbers";
import { rowsTable } from "../parts/rows";
import { section } from "../parts/section";
import { nodeColumns, nodeRows, nodesNote } from "./nodes-table";
import { below, type Screen } from "./screen";

export function nodesScreen({ report, life }: Screen): Child[] {
  const { drill } = report;
  const lost = drill.nodes.filter((n) => !n.alive).length;
  const { root, fig } = section({
    part: "nodes",
    title: "Nodes",
    qualifier: nodesNote(drill),
    tags: report.chart_tags?.drill ?? [],
  });
  const rows = nodeRows(drill);
  rowsTable(life, fig, {
    columns: nodeColumns(drill),
    rows: () => rows,
    all: rows.length,
    many: "nodes",
    first: "received",
  });
  const live = drill.nodes.length - lost;
  const words = [h("b", {}, num(live)), live === 1 ? " node lives, " : " nodes live, "];
  return below(
    report,
    "nodes",
    [drill.of, count(drill.racks.length, "rack")],
    [...words, `${num(lost)} lost.`],
    [root],
  );
}
