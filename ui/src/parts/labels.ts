/** Where the labels of points stand: beside their point, else further off with a leader; none on
 * another, on a point, or across a leader. */

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A point that wants a label of this size. */
export interface Labelled {
  x: number;
  y: number;
  width: number;
  /** How far what is drawn of the point reaches to its sides. */
  reach: number;
}

export interface PlacedLabel {
  /** The label's left end and its middle. */
  left: number;
  y: number;
  /** From the point to the label, where that stands off. */
  leader: [number, number, number, number] | null;
}

/** Moves heights apart by at least `step`, within bounds, in their order. */
export function stack(ys: number[], step: number, top: number, bottom: number): number[] {
  const order = ys.map((_, i) => i).sort((a, b) => ys[a]! - ys[b]! || a - b);
  const placed = [...ys];
  let least = top;
  for (const i of order) {
    placed[i] = Math.max(placed[i]!, least);
    least = placed[i]! + step;
  }
  let most = bottom;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i]!, most);
    most = placed[i]! - step;
  }
  return placed;
}

/** Half a label's height, its distance from the point, and from the next label in its line. */
const HALF = 8;
const NEAR = 5;
const ASIDE = 10;
const AWAY = [NEAR, 18, 36, 60, 90];
const RISE = [0, ...[8, 16, 24, 32, 48, 64, 80].flatMap((d) => [-d, d])];
/** What it costs to lie on something that may be covered, in pixels further off. */
const COVER = 32;

export const touches = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

type Segment = [number, number, number, number];

/** Whether a segment enters a box: what is left of it between each pair of sides. */
export function enters([x1, y1, x2, y2]: Segment, box: Box): boolean {
  let [from, to] = [0, 1];
  const cut = (start: number, run: number, low: number, high: number) => {
    if (run === 0) return start > low && start < high;
    const [a, b] = [(low - start) / run, (high - start) / run];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
    return from < to;
  };
  return cut(x1, x2 - x1, box.left, box.right) && cut(y1, y2 - y1, box.top, box.bottom);
}

const turn = (ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number =>
  Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
const cross = ([a, b, c, d]: Segment, [e, f, g, i]: Segment): boolean =>
  turn(a, b, c, d, e, f) * turn(a, b, c, d, g, i) < 0 &&
  turn(e, f, g, i, a, b) * turn(e, f, g, i, c, d) < 0;

interface Try {
  box: Box;
  leader: Segment | null;
  cost: number;
}

/** All places that a label may take, the nearest first. */
function tries({ x, y, width, reach }: Labelled): Try[] {
  const all = RISE.flatMap((dy) =>
    AWAY.flatMap((away) =>
      [1, -1].map((side): Try => {
        const near = x + side * (reach + away);
        const [left, right] = side > 0 ? [near, near + width] : [near - width, near];
        const off = Math.abs(dy) > HALF || away > NEAR;
        return {
          box: { left, right, top: y + dy - HALF, bottom: y + dy + HALF },
          leader: off ? [x + side * 5, y + Math.sign(dy) * 3, near - side * 3, y + dy] : null,
          cost: Math.abs(dy) + away + (side > 0 ? 0 : 12),
        };
      }),
    ),
  );
  return all.sort((a, b) => a.cost - b.cost);
}

/** Labels in the order of their weight: the first choose first. `blocked` is never covered, `soft`
 * only where nothing else is free. Null: no room. */
export function placeLabels(
  labels: Labelled[],
  plot: Box,
  blocked: Box[],
  soft: Box[] = [],
): (PlacedLabel | null)[] {
  const taken = [...blocked];
  const leaders: Segment[] = [];
  const within = ({ left, right, top, bottom }: Box) =>
    left >= plot.left && right <= plot.right && top >= plot.top && bottom <= plot.bottom;
  const free = ({ box, leader }: Try) =>
    within(box) &&
    !taken.some((b) => touches(b, box) || (leader !== null && enters(leader, b))) &&
    !leaders.some((l) => enters(l, box) || (leader !== null && cross(l, leader)));
  return labels.map((label) => {
    const open = tries(label).filter(free);
    const cost = ({ box, cost }: Try) => cost + COVER * soft.filter((b) => touches(b, box)).length;
    const best = open.reduce<Try | null>((a, b) => (a && cost(a) <= cost(b) ? a : b), null);
    if (!best) return null;
    const { left, right } = best.box;
    taken.push({ ...best.box, left: left - ASIDE, right: right + ASIDE });
    if (best.leader) leaders.push(best.leader);
    return { left: best.box.left, y: (best.box.top + best.box.bottom) / 2, leader: best.leader };
  });
}
