import { GripVertical } from "lucide-react";
import { useEffect, useRef, type PointerEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { dragByHolding } from "../../lists/hold-to-drag.ts";
import { dragRow } from "./drag-row.ts";
import type { ListItem } from "./task-list-items.ts";

export interface RowGripProps {
  readonly id: string;
  /** Returns the rows of the list as they are when something is dragged. */
  readonly items: () => readonly ListItem[];
  /** Selects a row, or not any more. */
  readonly toggle: (id: string) => void;
}

/** What a row is dragged by. By touch, the row can also be held and then moved. */
export function RowGrip({ id, items, toggle }: RowGripProps) {
  const client = useClient();
  const ref = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const row = ref.current?.closest<HTMLElement>("[data-task-id]");
    if (row === null || row === undefined) return undefined;
    // Holding has selected the row, but it was meant to be moved.
    const onStart = () => toggle(id);
    return dragByHolding(row, (press) => dragRow(client, { press, row, id, onStart }, items));
  }, [client, id, items, toggle]);
  const start = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget.closest<HTMLElement>("[data-task-id]");
    if (event.button !== 0 || row === null) return;
    // Holding the row would select it.
    event.stopPropagation();
    dragRow(client, { press: event.nativeEvent, row, id }, items);
  };
  return (
    <span
      ref={ref}
      aria-hidden
      data-grip
      data-tooltip="Drag to move; to the right to make it a subtask"
      className="-ml-1 flex h-full w-4 shrink-0 cursor-grab touch-none items-center justify-center text-muted opacity-0 group-hover:opacity-100 touch:w-8 touch:opacity-100"
      onClick={(event) => event.stopPropagation()}
      onPointerDown={start}
    >
      <GripVertical size={14} />
    </span>
  );
}
