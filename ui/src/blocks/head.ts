/** The head of a system's page: verdict, held up by, do, not enough, certainty, assumed. */
import { rangeTicks } from "../base/axis";
import { h, type Child, type Life } from "../base/dom";
import { num } from "../base/numbers";
import { assumed, type Metric } from "../parts/assumed";
import { command } from "../parts/copy";
import { sentence, swatch } from "../parts/spans";
import { certainty, entry, facts } from "../parts/verdict";
import { type Assumed, type Head, type Holder, type Unit } from "../page";
import { valueTicks, write } from "./units";

function holder({ kind, text, source }: Holder, i: number): HTMLElement {
  const chip = source !== null && h("code", { class: "source" }, source);
  const first = i === 0;
  return h("p", { class: first ? "" : "more" }, kind && swatch(kind), ...sentence(text), " ", chip);
}

/** Round ticks within a range; those of a number of seconds or bytes are round in its prefix. */
function ticks(unit: Unit, from: number, to: number): { at: number; label: string }[] {
  const last = valueTicks(unit, to).at(-1);
  const size = unit === "%" ? 0.01 : ["s", "B", "B/s"].includes(unit) && last ? sizeOf(last) : 1;
  const all = rangeTicks(from / size, to / size, 3);
  const digits = Math.max(0, ...all.map((t) => (String(t).split(".")[1] ?? "").length));
  const name = last?.label.split("\u00a0")[1] ?? "";
  return all.map((t, i) => ({
    at: t * size,
    label: num(t, digits) + (i === all.length - 1 && name ? `\u00a0${name}` : ""),
  }));
}

/** What a tick's label leaves out of its value: 1 000 000 of "2.5 MB". */
function sizeOf({ at, label }: { at: number; label: string }): number {
  const shown = Number(label.replace(/[^\d.]/g, ""));
  const exact = at / (shown || 1);
  return [1e-3, 1, 60, 3600, 1e3, 1e6, 1e9, 1e12].reduce((a, b) =>
    Math.abs(Math.log(b / exact)) < Math.abs(Math.log(a / exact)) ? b : a,
  );
}

/** The page's metric at half and double of what is assumed. */
const metric = ({ unit, name, never }: Assumed): Metric => ({
  write: (v) => write(unit, v),
  range: (low, high) => {
    const [a, b] = [write(unit, low), write(unit, high)];
    return a === b ? a : `${a} to ${b}`;
  },
  ticks: (from, to) => ticks(unit, from, to),
  name: name ?? "The result",
  never: never ?? "not known",
  least: unit === "s" ? 0.05 : 0,
});

/** Held up by, do, not enough, certainty. */
function points({ held_up, do: act, not_enough, certainty: sure }: Head): HTMLElement {
  const more = act && act.more.length > 0 && h("span", { class: "more" }, ...sentence(act.more));
  const doing: Child[] = act
    ? [h("p", {}, ...sentence(act.point), " ", more), act.command !== null && command(act.command)]
    : [];
  const reason = [certainty(sure.level), `${sure.level}: `, ...sentence(sure.reason)];
  return h(
    "dl",
    { class: "c8", "data-part": "points" },
    ...entry("held-up", "Held up by", held_up.map(holder)),
    ...entry("do", "Do", doing),
    ...entry("not-enough", "Not enough", sentence(not_enough), "more"),
    ...entry("certainty", "Certainty", reason, "more"),
  );
}

/** Verdict and points stand beside what is assumed. */
export function head(life: Life, data: Head): HTMLElement {
  return h(
    "div",
    { class: "row first" },
    h(
      "div",
      { class: "c12", "data-part": "verdict" },
      facts(data.facts),
      h("h1", {}, ...sentence(data.verdict)),
      data.sub.length > 0 && h("p", { class: "sub" }, ...sentence(data.sub)),
    ),
    points(data),
    assumed(life, data.assumed, metric(data.assumed)),
  );
}
