import { readStored, subscribeToStored, writeStored } from "./stored-value.ts";

export const THEME_CHOICES = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const KEY = "theme";
const COLORS = { light: "#f6f6f7", dark: "#131316" };
const SYSTEM_IS_DARK = "(prefers-color-scheme: dark)";

/**
 * Follows the system, other tabs and the theme switch. public/first-paint.js applies the same rules before the first paint.
 */
export function followTheme(): void {
  applyTheme();
  matchMedia(SYSTEM_IS_DARK).addEventListener("change", applyTheme);
  subscribeToStored(KEY, applyTheme);
}

export function setThemeChoice(choice: ThemeChoice): void {
  writeStored(KEY, choice === "system" ? null : choice);
}

export function themeChoice(): ThemeChoice {
  return toChoice(readStored(KEY));
}

function applyTheme(): void {
  const choice = toChoice(readStored(KEY));
  const theme = choice === "system" ? (matchMedia(SYSTEM_IS_DARK).matches ? "dark" : "light") : choice;
  document.documentElement.dataset["theme"] = theme;
  document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute("content", COLORS[theme]);
}

function toChoice(stored: string | null): ThemeChoice {
  return stored === "light" || stored === "dark" ? stored : "system";
}
