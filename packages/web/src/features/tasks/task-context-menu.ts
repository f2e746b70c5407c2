import type { MouseEvent } from "react";
import type { Client } from "../../client/client.ts";
import { loadLater } from "../../client/code-parts.ts";
import { contextMenuPlace, isByTouch } from "../../components/context-menu.ts";
import type { TaskMenuOptions } from "./task-menu.tsx";

const load = () => import("./task-menu.tsx");
loadLater(load);

/** Opens the menu of a task in a list that was right-clicked. A long press by touch selects or drags instead. */
export function openTaskContextMenu(
  client: Client,
  event: MouseEvent<HTMLElement>,
  id: string,
  options: TaskMenuOptions,
): void {
  if (isByTouch(event)) {
    event.preventDefault();
    return;
  }
  const place = contextMenuPlace(event);
  if (place === null) return;
  options.actions.touch(id);
  void load().then(({ openTaskMenu }) => openTaskMenu(client, place, id, options));
}
