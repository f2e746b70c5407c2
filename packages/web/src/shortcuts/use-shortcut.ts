import { useEffect, useEffectEvent } from "react";
import { isApple } from "../browser/platform.ts";
import { createMatcher, describePress } from "./shortcut-matching.ts";
import { SHORTCUTS, type ShortcutId } from "./shortcut-table.ts";

/** Does what the shortcut is for. False passes it on to whoever registered before. */
export type ShortcutHandler = (event: KeyboardEvent) => boolean | void;

const handlers = new Map<string, ShortcutHandler[]>();
const suspendedBy = new Set<object>();
const match = createMatcher();

interface BindingOptions {
  readonly isEnabled?: boolean;
  /** Asked only when nobody else wants the keys, as the frame is after the page. */
  readonly isFallback?: boolean;
}

/** Reacts to a shortcut of the table while the component is there. The one that came last is asked first. */
export function useShortcut(
  id: ShortcutId,
  handler: ShortcutHandler,
  { isEnabled = true, isFallback = false }: BindingOptions = {},
): void {
  const onPress = useEffectEvent(handler);
  useEffect(() => {
    if (!isEnabled) return undefined;
    const stop = SHORTCUTS[id].keys.map((keys) => bindKeys(keys, (event) => onPress(event), { isFallback }));
    return () => stop.forEach((unbind) => unbind());
  }, [id, isEnabled, isFallback]);
}

/** Reacts to keys that are not in the table. Answers how to stop. */
export function bindKeys(
  keys: string,
  handler: ShortcutHandler,
  { isFallback = false }: BindingOptions = {},
): () => void {
  const list = handlers.get(keys) ?? [];
  handlers.set(keys, isFallback ? [handler, ...list] : [...list, handler]);
  return () => {
    const rest = (handlers.get(keys) ?? []).filter((other) => other !== handler);
    if (rest.length === 0) handlers.delete(keys);
    else handlers.set(keys, rest);
  };
}

/** While something that takes the keys itself is open, or is about to be, no shortcut works. */
export function suspendShortcuts(owner: object, isSuspended: boolean): void {
  if (isSuspended) suspendedBy.add(owner);
  else suspendedBy.delete(owner);
}

window.addEventListener("keydown", (event) => {
  if (suspendedBy.size > 0 || event.defaultPrevented || event.isComposing || isForTheFocusedElement(event)) return;
  const press = describePress({
    key: event.key,
    code: event.code,
    isModDown: isApple ? event.metaKey : event.ctrlKey,
    isAltDown: event.altKey,
    isShiftDown: event.shiftKey,
  });
  const found = match(press, event.timeStamp, handlers);
  if (found === undefined || found === "waiting") return;
  const wasHandled = found.toReversed().some((handler) => handler(event) !== false);
  if (wasHandled) event.preventDefault();
});

/** Text fields, open menus and dialogs keep their keys; only the palette and stepping back reach over text fields. */
function isForTheFocusedElement(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("[role=menu], [role=listbox], [role=dialog], [role=alertdialog]") !== null) return true;
  const isMod = event.metaKey || event.ctrlKey;
  if (isTextField(target)) return !(event.key === "Escape" || (isMod && event.key.toLowerCase() === "k"));
  const isOnControl = target.closest("button, a[href], [role=checkbox], summary") !== null;
  return isOnControl && !isMod && (event.key === "Enter" || event.key === " ");
}

function isTextField(element: HTMLElement): boolean {
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement)
    return true;
  return (
    element instanceof HTMLInputElement && !["checkbox", "radio", "button", "range", "color"].includes(element.type)
  );
}
