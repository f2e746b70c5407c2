import { ariaKeys } from "../shortcuts/key-labels.ts";
import { SHORTCUTS, type ShortcutId } from "../shortcuts/shortcut-table.ts";

/**
 * Attributes that give an element a tooltip with its shortcut. One host shows them all, so tooltips cost nothing per row of
 * a long list. A null label shows the shortcut's own label.
 */
export function tooltip(
  label: string | null,
  shortcut?: ShortcutId,
): Record<`data-${string}` | "aria-keyshortcuts", string | undefined> {
  const keys = shortcut === undefined ? undefined : SHORTCUTS[shortcut].keys[0];
  return {
    "data-tooltip": label ?? (shortcut === undefined ? undefined : SHORTCUTS[shortcut].label),
    "data-tooltip-keys": keys,
    "aria-keyshortcuts": keys === undefined ? undefined : ariaKeys(keys),
  };
}
