/** Light and dark: the reader's system, unless ?theme= or the control says otherwise. */
import { Signal } from "./dom";

export type Theme = "light" | "dark";
export const theme = new Signal<Theme>("light");

const asked = (): Theme | null => {
  const value = new URLSearchParams(location.search).get("theme");
  return value === "light" || value === "dark" ? value : null;
};

function apply(value: Theme): void {
  document.documentElement.dataset["theme"] = value;
  theme.set(value);
}

export function watchTheme(): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const fromSystem = (): Theme => (system.matches ? "dark" : "light");
  apply(asked() ?? fromSystem());
  system.addEventListener("change", () => apply(asked() ?? fromSystem()));
  // Canvases hold painted colours, so paper needs them painted again.
  let before: Theme = theme.value;
  addEventListener("beforeprint", () => {
    before = theme.value;
    apply("light");
  });
  addEventListener("afterprint", () => apply(before));
}

export const toggleTheme = (): void => apply(theme.value === "dark" ? "light" : "dark");
