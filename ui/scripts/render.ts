/** Pictures of all screens, for looking at: npm run render -- OUT [report.html |
 * report.json | fixture…]. Pages of blocks have the screens that they name themselves. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Browser, settle } from "../fixtures/browser";
import { FIXTURES } from "../fixtures/index";
import { fill, template } from "../fixtures/page";
import { PAGES } from "../fixtures/pages";
import { type Page } from "../src/page";

const SCREENS: Record<string, string> = {
  first: "",
  cause: "#/?shares=0",
  rack: "#/rack/1",
  node: "#/node/13",
  transfers: "#/transfers",
  nodes: "#/nodes",
};

const [out = "out", ...names] = process.argv.slice(2);
mkdirSync(out, { recursive: true });
const only = process.env["ONLY"]?.split(",");
const widths = (process.env["WIDTHS"] ?? "1280,1920").split(",").map(Number);
const themes = (process.env["THEMES"] ?? "light,dark").split(",") as ("light" | "dark")[];
/** A finished page, a report's JSON in the present template, or a fixture in it. */
function pageOf(name: string): string {
  if (name in PAGES) return fill(template(), PAGES[name]!());
  if (!existsSync(name)) return fill(template(), FIXTURES[name]!());
  const text = readFileSync(name, "utf8");
  return name.endsWith(".json") ? fill(template(), JSON.parse(text) as Page) : text;
}

/** The first screen, and those below it. */
function screensOf(name: string): Record<string, string> {
  if (!(name in PAGES)) return SCREENS;
  const below = PAGES[name]!().drill.map((b) => [b.path.replaceAll("/", "-"), `#/${b.path}`]);
  return Object.fromEntries([["first", ""], ...below]) as Record<string, string>;
}

const browser = new Browser();
try {
  for (const name of names.length > 0 ? names : ["shop"]) {
    const html = pageOf(name);
    for (const [screen, hash] of Object.entries(screensOf(name))) {
      if (only && !only.includes(screen)) continue;
      for (const width of widths) {
        for (const theme of themes) {
          const { page, troubles } = await browser.open(html, { width, theme }, hash);
          const file = join(out, `${basename(name).split(".")[0]}-${screen}-${width}-${theme}.png`);
          await settle(page);
          await page.screenshot({ path: file, fullPage: true });
          for (const t of troubles) console.error(`${file}: ${t}`);
          await page.close();
        }
      }
    }
  }
} finally {
  await browser.close();
}
