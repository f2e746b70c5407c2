import { CalendarDays, CalendarRange, Columns3, List, ListChecks, type LucideIcon } from "lucide-react";
import type { View } from "./view.ts";

export const LAYOUT_ICONS: Readonly<Record<View["settings"]["layout"], LucideIcon>> = {
  list: List,
  board: Columns3,
  calendar: CalendarDays,
  upcoming: CalendarRange,
  ready: ListChecks,
};

/** The icon of a view's layout, in its color. */
export function ViewIcon({ view: { color, settings } }: { readonly view: Pick<View, "color" | "settings"> }) {
  const Icon = LAYOUT_ICONS[settings.layout];
  return (
    <Icon
      aria-hidden
      size={16}
      className={color === null ? "shrink-0 text-muted" : "project-color shrink-0 text-current"}
      {...(color !== null && { style: { "--project-color": color } })}
    />
  );
}
