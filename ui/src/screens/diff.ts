/** Two runs side by side: which is faster, where they part, who carried what. */
import { h, type Child, type Life } from "../base/dom";
import { duration, num } from "../base/numbers";
import { type Diff, type DiffCurve, type DiffNode, type DiffRun } from "../diff";
import { curves } from "../parts/curves";
import { dumbbells } from "../parts/dumbbells";
import { type Line } from "../parts/lines";
import { provenance } from "../parts/provenance";
import { lineStyles, sample, type LineStyle } from "../parts/sample";
import { blank, section } from "../parts/section";
import { sentence, swatch } from "../parts/spans";
import { top } from "../parts/top";
import { zoomTag } from "../parts/zoomed";

const FIGURE = 296;
/** So many nodes are drawn. */
const NODES = 40;
/** The first is drawn as a report draws *now*, the other as what it recommends. */
const STYLES = lineStyles([{ role: "now" }, { role: "recommended" }]);
const styleOf = (i: number): LineStyle => STYLES[i]!;

const originOf = ({ origin, seeds }: DiffRun): string =>
  origin === "logged" ? "as logged" : `simulated, ${num(seeds)} ${seeds === 1 ? "seed" : "seeds"}`;

const lostOf = ({ lost }: DiffRun): string =>
  lost.length === 1 ? `, ${lost[0]} lost` : lost.length > 1 ? `, ${num(lost.length)} lost` : "";

function facts({ runs }: Diff): HTMLElement {
  const one = (run: DiffRun, i: number): Child[] => [
    i > 0 && h("i", {}, "·"),
    sample(styleOf(i)),
    " ",
    h("b", {}, run.name),
    ` ${originOf(run)}, ${num(run.nodes)} nodes${lostOf(run)}`,
  ];
  return h("p", { class: "facts", "data-part": "facts" }, ...runs.flatMap(one));
}

/** The longest waits of each run's last block. */
function heldUp({ runs }: Diff): HTMLElement[] {
  return runs.map((run) => {
    const most = run.shares.filter((share) => share.percent > 0).slice(0, 3);
    const words = most.flatMap((share, i): Child[] => {
      const name = share.kind === "setting" ? h("span", { class: "key" }, share.name) : share.name;
      const percent = ` ${share.percent}\u00a0%`;
      return [i > 0 && ", ", h("span", { class: "one" }, swatch(share.kind), name, percent)];
    });
    return h("p", {}, h("b", {}, `${run.name}: `), ...(most.length > 0 ? words : ["nothing"]));
  });
}

function points(diff: Diff): HTMLElement {
  return h(
    "dl",
    { class: "c12", "data-part": "points" },
    h("dt", {}, "They part"),
    h("dd", { "data-part": "parting" }, ...diff.parting.map((s) => h("p", {}, ...sentence(s)))),
    h("dt", {}, "Held up by"),
    h("dd", { "data-part": "held-up", class: "more" }, ...heldUp(diff)),
  );
}

function lineOf(run: DiffRun, i: number, { key, sides }: DiffCurve): Line {
  const curve = sides[i]!;
  const falls = key === "at_risk";
  const last = curve.median.at(-1) ?? 0;
  const finish_s = falls ? (run.recovery_s?.mean ?? null) : null;
  const line: Line = {
    name: run.name,
    style: styleOf(i),
    step_s: curve.step_s,
    values: curve.median,
    finish_s,
    value: finish_s !== null ? duration(finish_s) : `${num(last)}${falls ? " left" : ""}`,
  };
  const fill = i === 0 ? "var(--risk-band)" : "var(--done)";
  if (run.seeds > 1) line.band = { low: curve.min, high: curve.max, fill };
  return line;
}

function curveOf(diff: Diff, curve: DiffCurve, life: Life): HTMLElement {
  const seeds = diff.runs.filter((run) => run.seeds > 1).map((run) => num(run.seeds));
  const spread = seeds.length > 0 ? [`band: min to max of ${seeds.join(" and ")} seeds`] : [];
  const { root, fig } = section({
    part: curve.key === "at_risk" ? "risk" : curve.key,
    title: curve.title,
    qualifier: [diff.since, ...spread].join("; "),
    class: "c6 w6",
    control: zoomTag(life),
  });
  const lines = diff.runs.map((run, i) => lineOf(run, i, curve));
  const peak = Math.max(0, ...lines.flatMap((l) => [...(l.band?.high ?? []), ...l.values]));
  const none = curve.key === "at_risk" ? "No block was at risk." : "Nothing was copied.";
  const apart = curve.parts?.spans.map(({ from_s, to_s }): [number, number] => [from_s, to_s]);
  if (peak === 0) fig.append(blank(none));
  else
    curves(life, fig, {
      label: `${curve.title} over time`,
      height: FIGURE,
      lines,
      note: null,
      bands: () => apart ?? [],
    });
  return root;
}

/** Those that differ most, in the order of the run. */
function shownNodes(nodes: DiffNode[]): DiffNode[] {
  const apart = ({ sent, received }: DiffNode): number =>
    Math.abs(sent[1].copies - sent[0].copies) + Math.abs(received[1].copies - received[0].copies);
  const live = nodes.filter(({ sent, received, alive }) => {
    const did = [...sent, ...received].some((carry) => carry.copies > 0);
    return did || alive.some((yes) => yes);
  });
  const order = live.map((node, i) => ({ i, by: apart(node) }));
  order.sort((a, b) => b.by - a.by || a.i - b.i);
  const kept = new Set(order.slice(0, NODES).map(({ i }) => i));
  return live.filter((_, i) => kept.has(i));
}

function nodes(diff: Diff, life: Life): HTMLElement {
  const shown = shownNodes(diff.nodes);
  const many = shown.length < diff.nodes.filter((n) => n.alive.some((yes) => yes)).length;
  const bar = diff.runs.some((run) => run.seeds > 1) ? "; bar: where 95 % of seeds lie" : "";
  const [a, b] = diff.runs;
  const { root, fig } = section({
    part: "nodes",
    title: "Nodes",
    qualifier: `dot: ${a.name}; ring: ${b.name}${bar}`,
    class: "c6 w6",
    tags: many ? [`${num(shown.length)} of ${num(diff.nodes.length)}: those that differ most`] : [],
  });
  if (shown.length === 0) fig.append(blank("The two runs have no node in common."));
  else dumbbells(life, fig, { runs: [a.name, b.name], nodes: shown });
  if (diff.nodes_note.length > 0)
    root.append(h("p", { class: "note" }, ...sentence(diff.nodes_note)));
  return root;
}

function figures({ runs, figures: rows }: Diff): HTMLElement {
  const judged = rows.some((row) => row.inside !== null);
  const { root, fig } = section({
    part: "figures",
    title: "Figures",
    qualifier: runs.some((run) => run.seeds > 1) ? "mean of seeds ± 95 % interval" : "one run each",
    class: "c6 w6",
  });
  const head = (words: string) => h("th", { scope: "col" }, words);
  const inside = (is: boolean | null) =>
    is === null ? "" : is ? h("span", { class: "dim" }, "inside") : h("b", {}, "outside");
  const line = ({ name, shown, difference, inside: is }: Diff["figures"][number]) =>
    h(
      "tr",
      {},
      h("td", { class: "one" }, name),
      ...shown.map((words) => h("td", {}, words)),
      h("td", {}, difference),
      judged && h("td", {}, inside(is)),
    );
  const heads = [
    head(""),
    ...runs.map((run) => head(run.name)),
    head("Difference"),
    judged && head("95 % of\nseeds"),
  ];
  const table = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...rows.map(line)),
  );
  fig.replaceWith(h("div", { class: "scroll" }, table));
  return root;
}

export function diffScreen(diff: Diff, life: Life): Child[] {
  return [
    ...top({ ...diff, download: diff, below: [], find: null }),
    h(
      "div",
      { class: "row first" },
      h(
        "div",
        { class: "c12", "data-part": "verdict" },
        facts(diff),
        h("h1", {}, ...sentence(diff.verdict)),
        h("p", { class: "sub" }, ...sentence(diff.sub)),
      ),
      points(diff),
    ),
    h(
      "div",
      { class: "row" },
      ...diff.curves.map((curve) => curveOf(diff, curve, life)),
      nodes(diff, life),
      figures(diff),
    ),
    provenance(diff),
  ];
}
