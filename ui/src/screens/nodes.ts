/** All nodes of the run. */
import { h, type Child } from "../base/dom";
import { num } from "../base/numbers";
import { rowsTable } from "../parts/rows";
import { section } from "../parts/section";
import { nodeColumns, nodeRows } from "./nodes-table";
import { below, type Screen } from "./screen";

export function nodesScreen({ report, life }: Screen): Child[] {
  const { drill } = report;
  const lost = drill.nodes.filter((n) => !n.alive).length;
  const { root, fig } = section({
    part: "nodes",
    title: "Nodes",
    qualifier: `${drill.of}; a head sorts`,
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
  const words = [h("b", {}, num(drill.nodes.length - lost)), " nodes live, ", num(lost), " lost."];
  return below(report, "nodes", [drill.of, `${num(drill.racks.length)} racks`], words, [root]);
}
