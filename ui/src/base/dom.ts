/** Elements without a framework. Text from the data goes in as text nodes, never as markup. */

export type Child = Node | string | number | null | undefined | false;
export type Attrs = Record<string, string | number | boolean | null | undefined>;

const SVG = "http://www.w3.org/2000/svg";

function dress<E extends Element>(node: E, attrs: Attrs, children: Child[]): E {
  for (const [name, value] of Object.entries(attrs)) {
    if (value === undefined || value === null || value === false) continue;
    const text = typeof value === "number" ? String(Number(value.toFixed(2))) : String(value);
    node.setAttribute(name, value === true ? "" : text);
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

/** An HTML element. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => dress(document.createElement(tag), attrs, children);

/** An SVG element. */
export const s = <K extends keyof SVGElementTagNameMap>(
  tag: K,
  attrs: Attrs = {},
  ...children: Child[]
): SVGElementTagNameMap[K] => dress(document.createElementNS(SVG, tag), attrs, children);

/** Listens, and returns the element. */
export function on<E extends Element>(node: E, events: string, act: (event: Event) => void): E {
  for (const name of events.split(" ")) node.addEventListener(name, act);
  return node;
}

/** What has to end when a screen goes: observers, subscriptions. */
export class Life {
  #ends: (() => void)[] = [];
  add(end: () => void): void {
    this.#ends.push(end);
  }
  end(): void {
    for (const end of this.#ends.splice(0)) end();
  }
}

/** A value that parts listen to. */
export class Signal<T> {
  #ears = new Set<(value: T) => void>();
  constructor(public value: T) {}
  set(value: T): void {
    if (value === this.value) return;
    this.value = value;
    for (const ear of [...this.#ears]) ear(value);
  }
  /** Calls on each change until the life ends. */
  on(life: Life, ear: (value: T) => void): void {
    this.#ears.add(ear);
    life.add(() => this.#ears.delete(ear));
  }
}
