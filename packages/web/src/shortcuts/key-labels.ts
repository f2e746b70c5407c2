import { isApple } from "../browser/platform.ts";

const NAMES: Readonly<Record<string, string>> = {
  arrowdown: "↓",
  arrowup: "↑",
  arrowleft: "←",
  arrowright: "→",
  enter: isApple ? "↵" : "Enter",
  escape: "Esc",
  backspace: isApple ? "⌫" : "Backspace",
  delete: isApple ? "⌦" : "Del",
  contextmenu: "Menu",
  shift: isApple ? "⇧" : "Shift",
  mod: isApple ? "⌘" : "Ctrl",
  alt: isApple ? "⌥" : "Alt",
};

/** The keys of a shortcut as they are labelled on the keyboard, one text per key: `mod+k` becomes ⌘ and K. */
export function keyLabels(keys: string): string[] {
  return keys.split(/[ +]/).map((key) => NAMES[key] ?? key.toUpperCase());
}

/** The keys in the format of the `aria-keyshortcuts` attribute; undefined for sequences, which it cannot express. */
export function ariaKeys(keys: string): string | undefined {
  if (keys.includes(" ")) return undefined;
  return keys
    .split("+")
    .map((key) => (key === "mod" ? (isApple ? "Meta" : "Control") : capitalize(key)))
    .join("+");
}

function capitalize(key: string): string {
  return key.length === 1
    ? key.toUpperCase()
    : key.replace(/^(arrow)?(.)/, (_, arrow: string | undefined, letter: string) =>
        arrow === undefined ? letter.toUpperCase() : `Arrow${letter.toUpperCase()}`,
      );
}
