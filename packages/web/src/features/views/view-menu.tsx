import { ArrowDown, ArrowUp, Copy, Pencil, Trash2 } from "lucide-react";
import type { Client } from "../../client/client.ts";
import { floating } from "../../components/floating.ts";
import { dialogs } from "../shell/dialogs.ts";
import { deleteView, duplicateView, moveView } from "./view-actions.ts";
import type { View } from "./view.ts";

interface ViewMenuOptions {
  /** All views in their order, if this one can be moved among them. */
  readonly views?: readonly View[];
  onDuplicated?(copy: View): void;
  onDeleted?(): void;
}

/** Opens the menu of actions on a view. */
export function openViewMenu(
  client: Client,
  anchor: HTMLElement,
  view: View,
  { views = [], onDuplicated, onDeleted }: ViewMenuOptions = {},
): void {
  const index = views.findIndex(({ id }) => id === view.id);
  const above = views[index - 1];
  const isLast = index === views.length - 1;
  floating(client).openMenu(anchor, `Actions for ${view.name}`, [
    {
      label: "Rename and color",
      icon: <Pencil size={16} />,
      run: () => dialogs(client).open({ kind: "edit-view", view }),
    },
    {
      label: "Duplicate",
      icon: <Copy size={16} />,
      run: () => void duplicateView(client, view).then((copy) => copy !== undefined && onDuplicated?.(copy)),
    },
    ...(index > 0 && above !== undefined
      ? [
          {
            label: "Move up",
            icon: <ArrowUp size={16} />,
            run: () => void moveView(client, views, view.id, above.id),
          },
        ]
      : []),
    ...(index !== -1 && !isLast
      ? [
          {
            label: "Move down",
            icon: <ArrowDown size={16} />,
            run: () => void moveView(client, views, view.id, views[index + 2]?.id ?? null),
          },
        ]
      : []),
    "separator",
    {
      label: "Delete view",
      icon: <Trash2 size={16} />,
      tone: "danger",
      run: () => {
        onDeleted?.();
        void deleteView(client, view);
      },
    },
  ]);
}
