import type { Client } from "../../client/client.ts";
import { loadLater } from "../../client/code-parts.ts";
import type { PopupAnchor } from "../../components/floating.ts";

export type EditableField = "status" | "priority" | "project" | "due" | "tags" | "repeat" | "snooze";

// After the first screen, since nothing is changed before.
const load = () => import("./open-field.ts");
loadLater(load);

/** Opens the picker of one field for one or more tasks, and applies the choice to all of them. */
export function editField(
  client: Client,
  field: EditableField,
  ids: readonly string[],
  place: HTMLElement | PopupAnchor,
): void {
  void load().then(({ openField }) => openField(client, field, ids, place));
}
