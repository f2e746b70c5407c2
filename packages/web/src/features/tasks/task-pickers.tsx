import type { Client } from "../../client/client.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { loadable } from "../../components/loadable.tsx";
import type { Priority, TaskStatus } from "./task.ts";

const StatusPicker = loadable(async () => (await import("./field-pickers.tsx")).StatusPicker);
const PriorityPicker = loadable(async () => (await import("./field-pickers.tsx")).PriorityPicker);
const ProjectPicker = loadable(async () => (await import("./field-pickers.tsx")).ProjectPicker);
const TagPicker = loadable(async () => (await import("./field-pickers.tsx")).TagPicker);
const TaskPicker = loadable(async () => (await import("./task-picker.tsx")).TaskPicker);
const DuePicker = loadable(async () => (await import("./due-picker.tsx")).DuePicker);

/** To be preloaded, so that even the first one opens without delay. */
export const PICKERS = [StatusPicker, PriorityPicker, ProjectPicker, TagPicker, DuePicker, TaskPicker] as const;

/** A choice that closes the picker. `chosen` has several values if the tasks differ. */
export interface Choice<Value> {
  readonly chosen: ReadonlySet<Value>;
  onPick(value: Value): void;
}

export function pickStatus(client: Client, place: HTMLElement | PopupAnchor, choice: Choice<TaskStatus>): void {
  floating(client).openPopover(place, "Change the status", (close) => <StatusPicker {...closing(choice, close)} />);
}

export function pickPriority(client: Client, place: HTMLElement | PopupAnchor, choice: Choice<Priority>): void {
  floating(client).openPopover(place, "Change the priority", (close) => <PriorityPicker {...closing(choice, close)} />);
}

export function pickProject(client: Client, place: HTMLElement | PopupAnchor, choice: Choice<string | null>): void {
  floating(client).openPopover(place, "Move to a project", (close) => <ProjectPicker {...closing(choice, close)} />);
}

/** A due date with its time. Without `dueTime`, a task keeps the time that it has. */
export interface DuePatch {
  readonly dueDate: string | null;
  readonly dueTime?: string | null;
}

export interface DueChoice extends Pick<Choice<string | null>, "chosen"> {
  /** The time of the tasks, if they have one in common. */
  readonly time: string | null;
  onPick(due: DuePatch): void;
}

export function pickDueDate(client: Client, place: HTMLElement | PopupAnchor, choice: DueChoice): void {
  floating(client).openPopover(place, "Change the due date", (close) => (
    <DuePicker
      chosen={choice.chosen}
      time={choice.time}
      onPick={(due) => {
        close();
        choice.onPick(due);
      }}
    />
  ));
}

/** Chooses an open task that is none of `except`. */
export function pickTask(
  client: Client,
  place: HTMLElement | PopupAnchor,
  {
    label,
    except,
    onPick,
  }: { readonly label: string; readonly except: ReadonlySet<string>; readonly onPick: (id: string) => void },
): void {
  floating(client).openPopover(place, label, (close) => (
    <TaskPicker
      label={label}
      except={except}
      onPick={(id) => {
        close();
        onPick(id);
      }}
    />
  ));
}

/** Tags are added and removed one by one; the picker stays open. */
export function pickTags(
  client: Client,
  place: HTMLElement | PopupAnchor,
  chosen: ReadonlySet<string>,
  onToggle: (tag: string, isOn: boolean) => void,
): void {
  floating(client).openPopover(place, "Change the tags", () => <TagPicker initial={chosen} onToggle={onToggle} />);
}

function closing<Value>({ chosen, onPick }: Choice<Value>, close: () => void): Choice<Value> {
  return {
    chosen,
    onPick: (value) => {
      close();
      onPick(value);
    },
  };
}
