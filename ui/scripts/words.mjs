// Lints the prose of Markdown files, of comments and of messages by docs/words.yml and the length of
// sentences: `node scripts/words.mjs [FILE…]`, all tracked files by default. Exit code 1 with findings.
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import prh from "textlint-rule-prh";
import { split, SentenceSplitterSyntax } from "sentence-splitter";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const LONGEST = 40; // words of a sentence
const EXCEPT = /^(docs\/decisions\/|LICENSE|ui\/node_modules|.*expected)/;

/** A sentence has at most `LONGEST` words. */
function short(context) {
  const { Syntax, RuleError, report, getSource } = context;
  return {
    [Syntax.Paragraph](node) {
      for (const part of split(getSource(node))) {
        if (part.type !== SentenceSplitterSyntax.Sentence) continue;
        const words = part.raw.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
        if (words > LONGEST)
          report(node, new RuleError(`a sentence of ${words} words: "${part.raw.slice(0, 50)}…"`, { index: part.range[0] }));
      }
    },
  };
}

/** Comments of Rust and messages in it, each on its line; everything else is blank. */
function prose(rust) {
  return rust
    .split("\n")
    .map((line) => {
      const comment = line.match(/^\s*\/\/[/!]? ?(.*)$/);
      if (comment) return comment[1].trimStart();
      const strings = [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]);
      return strings.filter((text) => text.split(" ").length > 3).join(". ");
    })
    .join("\n");
}

const kernel = new TextlintKernel();
const options = {
  ext: ".md",
  plugins: [{ pluginId: "markdown", plugin: markdown.default ?? markdown }],
  rules: [
    { ruleId: "words", rule: prh.default ?? prh, options: { rulePaths: [resolve(ROOT, "docs/words.yml")] } },
    { ruleId: "short", rule: short },
  ],
};

const tracked = () => execFileSync("git", ["ls-files", "*.md", "*.rs"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
const files = process.argv.length > 2 ? process.argv.slice(2) : tracked().filter((file) => !EXCEPT.test(file));
let count = 0;
for (const file of files) {
  const text = readFileSync(resolve(ROOT, file), "utf8");
  const isRust = file.endsWith(".rs");
  const rules = isRust ? options.rules.slice(0, 1) : options.rules;
  const result = await kernel.lintText(isRust ? prose(text) : text, { ...options, rules, filePath: resolve(ROOT, file) });
  for (const { line, message } of result.messages) console.log(`${file}:${line}: ${message.replaceAll("\n", " ")}`);
  count += result.messages.length;
}
if (count > 0) {
  console.error(`${count} findings in ${files.length} files; how we write: docs/words.md`);
  process.exitCode = 1;
}
