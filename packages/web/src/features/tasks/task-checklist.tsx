import { ArrowDown, ArrowUp, ListTree, MoreHorizontal, Trash2 } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { newUuid } from "../../api/local-id.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { GrowingTextarea } from "../../components/field.tsx";
import { floating, type MenuItem } from "../../components/floating.ts";
import { LinesInput } from "./lines-input.tsx";
import type { ChecklistItem } from "../outbox/checklist-edit.ts";
import { changeChecklist, convertChecklist } from "./task-links.ts";
import type { Task } from "./task.ts";

interface TaskChecklistProps {
  readonly task: Task;
  readonly items: readonly ChecklistItem[];
}

/** The items of a task's checklist, edited in place. */
export function TaskChecklist({ task, items }: TaskChecklistProps) {
  const client = useClient();
  const done = items.filter(({ isDone }) => isDone).length;
  const add = (lines: readonly { readonly text: string; readonly isDone: boolean }[]) => {
    const added = lines.map((line) => ({ id: newUuid(), ...line }));
    return changeChecklist(client, task.id, { add: added }, items);
  };
  return (
    <section aria-label="Checklist" className="flex flex-col gap-1 text-13">
      <h3 className="flex items-baseline gap-2 text-13 text-muted">
        Checklist
        {items.length > 0 && (
          <span className="tabular text-12">
            {done} of {items.length} done
          </span>
        )}
      </h3>
      <ul className="flex flex-col">
        {items.map((item, index) => (
          <Item key={item.id} task={task} items={items} item={item} index={index} />
        ))}
      </ul>
      <LinesInput label="Add an item, or paste several lines" onAdd={(lines) => void add(lines)} />
    </section>
  );
}

interface ItemProps extends TaskChecklistProps {
  readonly item: ChecklistItem;
  readonly index: number;
}

function Item({ task, items, item, index }: ItemProps) {
  const client = useClient();
  const { id, text, isDone } = item;
  const [edited, setEdited] = useState<string | null>(null);
  const set = (patch: { text?: string; isDone?: boolean }) =>
    changeChecklist(client, task.id, { set: [{ id, ...patch }] }, items);
  const remove = () => changeChecklist(client, task.id, { remove: [id] }, items);
  const move = (step: 1 | -1) => {
    const others = items.filter((other) => other.id !== id);
    const place = index + step;
    if (place < 0 || place > others.length) return;
    const afterId = others[place - 1]?.id ?? null;
    void changeChecklist(client, task.id, { move: { id, afterId } }, items);
  };
  const save = () => {
    const trimmed = edited?.trim();
    setEdited(null);
    if (trimmed === undefined || trimmed === text) return;
    if (trimmed === "") void remove();
    else void set({ text: trimmed });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.altKey && event.key === "ArrowUp") move(-1);
    else if (event.altKey && event.key === "ArrowDown") move(1);
    else if (event.key === "Enter") event.currentTarget.blur();
    else if (event.key === "Escape" && edited !== null) setEdited(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const menu: MenuItem[] = [
    ...(index > 0 ? [{ label: "Move up", icon: <ArrowUp size={16} />, run: () => move(-1) }] : []),
    ...(index < items.length - 1 ? [{ label: "Move down", icon: <ArrowDown size={16} />, run: () => move(1) }] : []),
    {
      label: "Make it a subtask",
      icon: <ListTree size={16} />,
      run: () => void convertChecklist(client, task.id, { itemIds: [id] }),
    },
    { label: "Delete", icon: <Trash2 size={16} />, tone: "danger", run: () => void remove() },
  ];
  return (
    <li className="flex min-h-8 items-start gap-2 touch:min-h-11">
      <span className="flex h-8 w-6 items-center justify-center touch:h-11">
        <Checkbox label={text} checked={isDone} onChange={() => void set({ isDone: !isDone })} />
      </span>
      <GrowingTextarea
        aria-label={`Item: ${text}`}
        rows={1}
        maxLength={500}
        value={edited ?? text}
        className={`min-w-0 flex-1 rounded-control bg-transparent px-1 py-1.5 hover:bg-hover focus:bg-transparent touch:py-3 ${isDone ? "text-muted line-through" : "text-strong"}`}
        onChange={(event) => setEdited(event.target.value.replaceAll("\n", " "))}
        onKeyDown={onKeyDown}
        onBlur={save}
      />
      <IconButton
        size="small"
        label={`More for ${text}`}
        aria-haspopup="menu"
        icon={<MoreHorizontal size={14} />}
        onClick={(event) => floating(client).openMenu(event.currentTarget, text, menu)}
      />
    </li>
  );
}
