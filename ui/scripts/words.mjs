// Lints prose by docs/words.yml: Markdown, comments and messages of Rust; in Markdown also the
// length of sentences. `node scripts/words.mjs [FILE…]`, else all tracked files. Exit code 1 with
// findings.
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import prh from "textlint-rule-prh";
import { split, SentenceSplitterSyntax } from "sentence-splitter";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
/** Words of a sentence, at most. */
const LONGEST = 40;
/** Records stay as they were written; the engine's derive is called `hears`. */
const EXCEPT = /^(docs\/decisions\/|CHANGELOG\.md|crates\/engine\/src\/vocabulary\.rs)/;

function short({ Syntax, RuleError, report, getSource }) {
  return {
    [Syntax.Paragraph](node) {
      for (const part of split(getSource(node))) {
        if (part.type !== SentenceSplitterSyntax.Sentence) continue;
        const words = part.raw.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
        if (words <= LONGEST) continue;
        const message = `${words} words in a sentence: ${part.raw.slice(0, 40)}…`;
        report(node, new RuleError(message, { index: part.range[0] }));
      }
    },
  };
}

/** Comments and messages, each on its line; everything else is blank. */
function prose(rust) {
  const text = (line) => {
    const comment = line.match(/^\s*\/\/[/!]? ?(.*)$/);
    if (comment) return comment[1].trimStart();
    const strings = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]);
    return strings.filter((words) => words.split(" ").length > 3).join(". ");
  };
  return rust.split("\n").map(text).join("\n");
}

const plugins = [{ pluginId: "markdown", plugin: markdown.default ?? markdown }];
const words = {
  ruleId: "words",
  rule: prh.default ?? prh,
  options: { rulePaths: [resolve(ROOT, "docs/words.yml")] },
};
const rules = { md: [words, { ruleId: "short", rule: short }], rs: [words] };

const listed = execFileSync("git", ["ls-files", "*.md", "*.rs"], { cwd: ROOT, encoding: "utf8" });
const tracked = listed
  .trim()
  .split("\n")
  .filter((file) => !EXCEPT.test(file));
const files = process.argv.length > 2 ? process.argv.slice(2) : tracked;
const kernel = new TextlintKernel();
let count = 0;
for (const file of files) {
  const filePath = resolve(ROOT, file);
  const kind = file.endsWith(".rs") ? "rs" : "md";
  const text = readFileSync(filePath, "utf8");
  const options = { ext: ".md", filePath, plugins, rules: rules[kind] };
  const found = await kernel.lintText(kind === "rs" ? prose(text) : text, options);
  for (const { line, message } of found.messages)
    console.log(`${file}:${line}: ${message.replaceAll("\n", " ")}`);
  count += found.messages.length;
}
if (count > 0) {
  console.error(`${count} findings in ${files.length} files; see docs/words.md`);
  process.exitCode = 1;
}
