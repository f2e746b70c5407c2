import { useMemo, useState } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { taskCollection } from "./task-collection.ts";
import { isOpen, type Task } from "./task.ts";

/** More than anybody reads; typing finds the others. */
const MAX_SHOWN = 50;

const NONE: ReadonlySet<string> = new Set();

interface TaskPickerProps {
  readonly label: string;
  readonly except: ReadonlySet<string>;
  onPick(id: string): void;
}

/** The open tasks, newest first, to choose one from. */
export function TaskPicker({ label, except, onPick }: TaskPickerProps) {
  const tasks = useCollection(taskCollection(useClient()));
  const [text, setText] = useState("");
  const options = useMemo(() => findTasks(tasks.values(), text, except), [tasks, text, except]);
  return (
    <OptionList
      label={label}
      options={options.map(({ id, title, status }) => ({
        value: id,
        label: title,
        icon: <StatusIcon status={status} />,
      }))}
      chosen={NONE}
      onPick={onPick}
      onSearch={setText}
    />
  );
}

function findTasks(tasks: Iterable<Task>, text: string, except: ReadonlySet<string>): Task[] {
  const wanted = text.trim().toLowerCase();
  return [...tasks]
    .filter((task) => isOpen(task) && !except.has(task.id) && task.title.toLowerCase().includes(wanted))
    .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
    .slice(0, MAX_SHOWN);
}
