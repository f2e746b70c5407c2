import { useEffect, useEffectEvent } from "react";
import { useClient } from "../client/use-client.ts";
import { SHORTCUT_KEYS, type ShortcutId } from "./shortcut-keys.ts";
import { shortcuts, type BindingOptions, type ShortcutHandler } from "./shortcuts.ts";

interface ShortcutOptions extends BindingOptions {
  readonly isEnabled?: boolean;
}

/** Handles a shortcut while the component is mounted. The latest handler is called first. */
export function useShortcut(
  id: ShortcutId,
  handler: ShortcutHandler,
  { isEnabled = true, isFallback = false }: ShortcutOptions = {},
): void {
  const client = useClient();
  const onPress = useEffectEvent(handler);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const stop = SHORTCUT_KEYS[id].map((keys) =>
      shortcuts(client).bind(keys, (event) => onPress(event), { isFallback }),
    );
    return () => stop.forEach((unbind) => unbind());
  }, [client, id, isEnabled, isFallback]);
}
