import { readStored, subscribeToStored, useStored, writeStored } from "./stored-value.ts";

export const THEME_CHOICES = ["system", "light", "dark"] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

const KEY = "theme";
const COLORS = { light: "#f6f6f7", dark: "#131316" };
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

/** Follows the system, other tabs and the switch. The first paint is public/theme.js's, by the same rules. */
export function followTheme(): void {
  applyTheme();
  systemIsDark.addEventListener("change", applyTheme);
  subscribeToStored(KEY, applyTheme);
}

export function setThemeChoice(choice: ThemeChoice): void {
  writeStored(KEY, choice === "system" ? null : choice);
}

export function useThemeChoice(): ThemeChoice {
  return toChoice(useStored(KEY)[0]);
}

function applyTheme(): void {
  const choice = toChoice(readStored(KEY));
  const theme = choice === "system" ? (systemIsDark.matches ? "dark" : "light") : choice;
  document.documentElement.dataset["theme"] = theme;
  document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.setAttribute("content", COLORS[theme]);
}

function toChoice(stored: string | null): ThemeChoice {
  return stored === "light" || stored === "dark" ? stored : "system";
}
