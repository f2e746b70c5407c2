import { CircleDashed, Tag } from "lucide-react";
import { useMemo, useState } from "react";
import { OptionList } from "../../components/option-list.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { useProjects } from "../projects/project-collection.ts";
import { PriorityIcon } from "./priority-icon.tsx";
import { StatusIcon } from "./status-icon.tsx";
import type { Choice } from "./task-pickers.tsx";
import { BOARD_STATUSES, PRIORITIES, PRIORITY_LABELS, STATUS_LABELS, type Priority, type TaskStatus } from "./task.ts";
import { useTagsInUse } from "./tags-in-use.ts";

const STATUS_OPTIONS = BOARD_STATUSES.map((status) => ({
  value: status,
  label: STATUS_LABELS[status],
  icon: <StatusIcon status={status} />,
}));

const PRIORITY_OPTIONS = PRIORITIES.map((priority) => ({
  value: priority,
  label: PRIORITY_LABELS[priority],
  icon: <PriorityIcon priority={priority} />,
}));

export function StatusPicker({ chosen, onPick }: Choice<TaskStatus>) {
  return <OptionList label="Change the status" options={STATUS_OPTIONS} chosen={chosen} onPick={onPick} />;
}

export function PriorityPicker({ chosen, onPick }: Choice<Priority>) {
  return <OptionList label="Change the priority" options={PRIORITY_OPTIONS} chosen={chosen} onPick={onPick} />;
}

export function ProjectPicker({ chosen, onPick }: Choice<string | null>) {
  const { rows: projects } = useProjects();
  const options = [
    { value: null, label: "No project", icon: <CircleDashed size={16} className="text-muted" /> },
    ...projects.map(({ id, name, color }) => ({ value: id, label: name, icon: <ProjectDot color={color} /> })),
  ];
  return <OptionList label="Move to a project" options={options} chosen={chosen} onPick={onPick} />;
}

interface TagPickerProps {
  readonly initial: ReadonlySet<string>;
  onToggle(tag: string, isOn: boolean): void;
}

export function TagPicker({ initial, onToggle }: TagPickerProps) {
  const [chosen, setChosen] = useState(initial);
  const tagsInUse = useTagsInUse();
  const tags = useMemo(() => [...new Set([...initial, ...tagsInUse, ...chosen])], [initial, tagsInUse, chosen]);
  const toggle = (tag: string) => {
    const isOn = !chosen.has(tag);
    setChosen(isOn ? new Set([...chosen, tag]) : new Set([...chosen].filter((other) => other !== tag)));
    onToggle(tag, isOn);
  };
  return (
    <OptionList
      label="Change the tags"
      options={tags.map((tag) => ({ value: tag, label: tag, icon: <Tag size={16} className="text-muted" /> }))}
      chosen={chosen}
      onPick={toggle}
      onCreate={toggle}
      createLabel={(text) => `Add the tag “${text}”`}
    />
  );
}
