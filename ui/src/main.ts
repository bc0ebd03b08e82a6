/** Reads the data, and shows the screen that the URL names. */
import "./style/tokens.css";
import "./style/page.css";
import "./style/verdict.css";
import "./style/figures.css";
import "./style/table.css";
import "./style/narrow.css";
import "./style/print.css";
import { readData, type Read } from "./base/data";
import { h, Life, type Child } from "./base/dom";
import { fontsReady } from "./base/measure";
import { hovered, place, watchPlace } from "./base/selection";
import { watchTheme } from "./base/theme";
import { hideTip, watchTips } from "./base/tooltip";
import { blank } from "./parts/section";
import { type Diff } from "./diff";
import { type Report } from "./report";
import { diffScreen } from "./screens/diff";
import { nodeLost } from "./screens/node-lost";
import { nodeScreen } from "./screens/node";
import { nodesScreen } from "./screens/nodes";
import { rackScreen } from "./screens/rack";
import { nowhere, type Screen } from "./screens/screen";
import { transfersScreen } from "./screens/transfers";

const SCREENS: Record<string, (screen: Screen) => Child[]> = {
  "": nodeLost,
  rack: rackScreen,
  node: nodeScreen,
  nodes: nodesScreen,
  transfers: transfersScreen,
};

const page = document.getElementById("page")!;

/** The template without data, or with data that it cannot draw. */
function lost(read: Exclude<Read, { kind: "report" | "diff" }>): HTMLElement {
  const body =
    read.kind === "none"
      ? [
          h("h1", {}, "No data in this file."),
          h(
            "p",
            {},
            "This is the empty template of a report. ",
            h("code", {}, "tenbin compare SCENARIO.toml -o DIR"),
            " writes one with data.",
          ),
        ]
      : [
          h("h1", {}, "This report cannot be shown."),
          blank(read.what, `Expected: ${read.expected} ${read.todo}`),
        ];
  return h("main", {}, h("div", { class: "lost", "data-part": "lost" }, ...body));
}

function show(report: Report): void {
  let life = new Life();
  let shown: string | null = null;
  const open = () => {
    const [name = "", ...rest] = place.value.path;
    const argument = rest.join("/");
    const path = place.value.path.join("/");
    if (path === shown) return;
    const first = shown === null;
    shown = path;
    life.end();
    life = new Life();
    hovered.set(null);
    hideTip();
    const draw = SCREENS[name] ?? (() => nowhere(report, `screen “${name}”`));
    const main = h("main", { tabindex: -1, "data-screen": name || "first" });
    page.replaceChildren(main);
    main.append(...draw({ report, life, argument }).filter((c) => c instanceof Node));
    if (!first) {
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
  };
  place.on(new Life(), open);
  open();
}

/** Two runs: one screen. */
function showDiff(diff: Diff): void {
  const main = h("main", { tabindex: -1, "data-screen": "diff" });
  page.replaceChildren(main);
  main.append(...diffScreen(diff, new Life()).filter((c) => c instanceof Node));
}

const titled = (words: string[]): void => {
  document.title = `${words.join(" · ")} · tenbin`;
  watchPlace();
  watchTips();
};

const read = readData(document.getElementById("report-data")?.textContent);
watchTheme();
await fontsReady();
if (read.kind === "report") {
  titled(read.report.crumbs);
  show(read.report);
} else if (read.kind === "diff") {
  titled(read.diff.crumbs);
  showDiff(read.diff);
} else page.replaceChildren(lost(read));
document.documentElement.dataset["ready"] = "";
