/** Reads the data, and shows the screen that the URL names. */
import "./style/tokens.css";
import "./style/page.css";
import "./style/verdict.css";
import "./style/figures.css";
import "./style/table.css";
import "./style/blocks.css";
import "./style/narrow.css";
import "./style/print.css";
import { readData, type Read } from "./base/data";
import { h, Life, type Child } from "./base/dom";
import { fontsReady } from "./base/measure";
import { hovered, place, watchPlace } from "./base/selection";
import { watchTheme } from "./base/theme";
import { hideTip, watchTips } from "./base/tooltip";
import { blank } from "./parts/section";
import { type Page } from "./page";
import { blocksScreen } from "./screens/blocks";

const page = document.getElementById("page")!;

/** The template without data, or with data that it cannot draw. */
function lost(read: Exclude<Read, { kind: "page" }>): HTMLElement {
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

/** Draws the screen of the URL's path, and again when that changes. */
function watch(draw: (path: string[], life: Life) => Child[]): void {
  let life = new Life();
  let shown: string | null = null;
  const open = () => {
    const path = place.value.path.join("/");
    if (path === shown) return;
    const first = shown === null;
    shown = path;
    life.end();
    life = new Life();
    hovered.set(null);
    hideTip();
    const main = h("main", { tabindex: -1, "data-screen": place.value.path[0] || "first" });
    page.replaceChildren(main);
    main.append(...draw(place.value.path, life).filter((c) => c instanceof Node));
    if (!first) {
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
  };
  place.on(new Life(), open);
  open();
}

/** A system's page, drawn from its blocks. */
const showPage = (data: Page): void => watch((path, life) => blocksScreen(data, path, life));

const read = readData(document.getElementById("report-data")?.textContent);
watchTheme();
await fontsReady();
if (read.kind === "page") {
  document.title = `${read.page.head.crumbs.join(" · ")} · tenbin`;
  watchPlace();
  watchTips();
  showPage(read.page);
} else page.replaceChildren(lost(read));
document.documentElement.dataset["ready"] = "";
