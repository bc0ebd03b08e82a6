/** What a page looks like, found out inside of it. Each function is sent to the page as it is. */

/** Sections whose figure shows neither marks nor a table nor a sentence. */
export function emptyFigures(): string[] {
  return [...document.querySelectorAll("section[data-part]")]
    .filter((section) => {
      const drawn = [...section.querySelectorAll("svg path, svg rect, svg circle, canvas")].some(
        (mark) => {
          const box = mark.getBoundingClientRect();
          return box.width > 0 && box.height > 0;
        },
      );
      const rows = section.querySelectorAll("tbody tr, .claim").length > 0;
      const sentence = (section.querySelector(".blank")?.textContent ?? "").length > 20;
      return !drawn && !rows && !sentence;
    })
    .map((section) => section.getAttribute("data-part") ?? "?");
}

/** What stands out of the window at its sides. On a narrow page tables scroll in their own box. */
export function overflow(narrow = false): string[] {
  const width = document.documentElement.clientWidth;
  const out =
    document.documentElement.scrollWidth > width
      ? [`page ${document.documentElement.scrollWidth} > ${width}`]
      : [];
  for (const table of document.querySelectorAll(".scroll")) {
    if (!narrow && table.scrollWidth > table.clientWidth + 1)
      out.push(`table ${table.scrollWidth}`);
  }
  for (const node of document.querySelectorAll("main *")) {
    const box = node.getBoundingClientRect();
    // Curves are clipped to their plot; a box does not tell.
    const drawn = node instanceof SVGElement && node.tagName !== "text";
    if (narrow && node.closest(".scroll")) continue;
    const shown = box.width > 0 && box.height > 0 && !drawn;
    if (shown && (box.right > width + 1 || box.left < -1))
      out.push(`${node.tagName} ${node.textContent?.slice(0, 40)}`);
  }
  return out.slice(0, 5);
}

/** Pairs of labels in one figure, and of words in one line of the page, that lie on each other. */
export function overlaps(): string[] {
  const found: string[] = [];
  const boxes = (nodes: Iterable<Element>) =>
    [...nodes]
      .map((node) => ({ words: node.textContent ?? "", box: node.getBoundingClientRect() }))
      .filter(({ words, box }) => words.trim() !== "" && box.width > 0 && box.height > 0);
  const compare = (all: ReturnType<typeof boxes>, where: string) => {
    all.sort((a, b) => a.box.top - b.box.top);
    for (let i = 0; i < all.length; i++) {
      const a = all[i]!;
      for (let k = i + 1; k < all.length; k++) {
        const b = all[k]!;
        if (b.box.top >= a.box.bottom) break;
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        // Line boxes are higher than their letters.
        if (across > 1.5 && down > 4.5) found.push(`${where}: "${a.words}" and "${b.words}"`);
      }
    }
  };
  for (const figure of document.querySelectorAll(".fig")) {
    const part = figure.closest("[data-part]")?.getAttribute("data-part") ?? "?";
    compare(boxes(figure.querySelectorAll("svg text")), part);
  }
  for (const head of document.querySelectorAll("h2, header.top, footer, .tools")) {
    compare(
      boxes(
        head.querySelectorAll(
          ":scope > small, :scope > .tag, :scope > span, :scope > nav > *, :scope > label",
        ),
      ),
      head.tagName,
    );
  }
  return found.slice(0, 8);
}
