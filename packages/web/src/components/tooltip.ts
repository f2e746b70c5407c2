import { ariaKeys } from "../shortcuts/key-labels.ts";
import { SHORTCUT_KEYS, type ShortcutId } from "../shortcuts/shortcut-keys.ts";

/**
 * Attributes that give an element a tooltip with its shortcut. One host shows them all, so tooltips cost nothing per row of
 * a long list. A null label shows the shortcut's own label.
 */
export function tooltip(
  label: string | null,
  shortcut?: ShortcutId,
): Record<`data-${string}` | "aria-keyshortcuts", string | undefined> {
  const keys = shortcut === undefined ? undefined : SHORTCUT_KEYS[shortcut][0];
  return {
    "data-tooltip": label ?? undefined,
    "data-tooltip-of": label === null ? shortcut : undefined,
    "data-tooltip-keys": keys,
    "aria-keyshortcuts": keys === undefined ? undefined : ariaKeys(keys),
  };
}
