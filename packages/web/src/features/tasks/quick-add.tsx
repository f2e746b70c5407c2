import { Plus } from "lucide-react";
import { loadable } from "../../components/loadable.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";

/** To be preloaded, so that the fields appear without delay when the title gets the focus. */
export const NewTaskChips = loadable(async () => (await import("./new-task-chips.tsx")).NewTaskChips);
// Not part of the first screen, whose size is limited, but beside its data: a key that is pressed before is lost.
const QuickAddForm = loadable(async () => (await import("./quick-add-form.tsx")).default);

export const INPUT_ID = "quick-add";

/** Moves the focus to the page's quick-add field. */
export function focusQuickAdd(): void {
  document.getElementById(INPUT_ID)?.focus();
}

export interface QuickAddProps {
  readonly name: string;
  readonly defaults: NewTaskDefaults;
  readonly hasProject: boolean;
  /** Called when it is not in use any more. */
  readonly onLeave: () => void;
}

/** Creates a task from a title and Enter. */
export function QuickAdd(props: QuickAddProps) {
  return <QuickAddForm {...props} fallback={<Placeholder />} />;
}

/** Takes the same room, so that nothing moves when the field appears. */
function Placeholder() {
  return (
    <div
      aria-hidden
      className="flex h-11 shrink-0 items-center gap-x-2 border-b border-border px-4 text-muted touch:h-12"
    >
      <Plus size={16} className="shrink-0" />
      Add a task
    </div>
  );
}
