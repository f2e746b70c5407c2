import { CalendarDays, CalendarRange, Columns3, List, ListChecks } from "lucide-react";
import { Segmented } from "../../components/segmented.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { TaskView } from "./task-search.ts";

const LAYOUTS: readonly { readonly value: TaskView; readonly label: string; readonly icon: React.ReactNode }[] = [
  { value: "list", label: "List", icon: <List size={16} /> },
  { value: "board", label: "Board", icon: <Columns3 size={16} /> },
  { value: "calendar", label: "Calendar", icon: <CalendarDays size={16} /> },
  { value: "upcoming", label: "Upcoming", icon: <CalendarRange size={16} /> },
  { value: "ready", label: "Ready", icon: <ListChecks size={16} /> },
];

/** How the tasks are laid out, by pointer or with the keys 1 to 5. */
export default function LayoutChoice({ value, onChange }: { value: TaskView; onChange: (layout: TaskView) => void }) {
  useShortcut("layoutList", () => onChange("list"));
  useShortcut("layoutBoard", () => onChange("board"));
  useShortcut("layoutCalendar", () => onChange("calendar"));
  useShortcut("layoutUpcoming", () => onChange("upcoming"));
  useShortcut("layoutReady", () => onChange("ready"));
  return <Segmented label="View" shortcut="view" value={value} options={LAYOUTS} onChange={onChange} />;
}
