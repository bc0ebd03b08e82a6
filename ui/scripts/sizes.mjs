/** Holds the sizes of the sources: files of 150 lines in the median and 500 at most, functions of
 * 70 lines, lines of 100 columns. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const MEDIAN = 150,
  FILE = 500,
  FUNCTION = 70,
  COLUMNS = 100;
const files = ["src", "fixtures", "scripts", "tests"].flatMap((dir) =>
  readdirSync(dir, { recursive: true })
    .filter((f) => f.endsWith(".ts"))
    .map((f) => join(dir, f)),
);
const complaints = [];
const lengths = files.map((file) => {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n");
  if (lines.length > FILE) complaints.push(`${file}: ${lines.length} lines, at most ${FILE}`);
  lines.forEach(
    (l, i) =>
      l.length > COLUMNS &&
      complaints.push(`${file}:${i + 1}: ${l.length} columns, at most ${COLUMNS}`),
  );
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && !file.startsWith("tests")) {
      const [from, to] = [node.getStart(), node.end].map(
        (at) => source.getLineAndCharacterOfPosition(at).line,
      );
      if (to - from + 1 > FUNCTION)
        complaints.push(
          `${file}:${from + 1}: a function of ${to - from + 1} lines, at most ${FUNCTION}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines.length;
});
lengths.sort((a, b) => a - b);
const median = lengths[Math.floor(lengths.length / 2)];
if (median > MEDIAN) complaints.push(`median of ${median} lines a file, at most ${MEDIAN}`);
console.log(`${files.length} files, median ${median} lines, longest ${lengths.at(-1)}`);
for (const c of complaints) console.error(c);
process.exit(complaints.length > 0 ? 1 : 0);
