import type { ReactNode } from "react";
import { openPopover, type Place } from "../../components/anchored.ts";
import { loadable } from "../../components/loadable.tsx";
import type { Priority, TaskStatus } from "./task.ts";

const StatusPicker = loadable(async () => (await import("./field-pickers.tsx")).StatusPicker);
const PriorityPicker = loadable(async () => (await import("./field-pickers.tsx")).PriorityPicker);
const ProjectPicker = loadable(async () => (await import("./field-pickers.tsx")).ProjectPicker);
const TagPicker = loadable(async () => (await import("./field-pickers.tsx")).TagPicker);
const DuePicker = loadable(async () => (await import("./due-picker.tsx")).DuePicker);

/** To be loaded ahead, so that the first one opens in the frame it is asked for. */
export const PICKERS = [StatusPicker, PriorityPicker, ProjectPicker, TagPicker, DuePicker] as const;

/** A choice that closes the picker. `chosen` holds several values where several tasks differ. */
export interface Choice<Value> {
  readonly chosen: ReadonlySet<Value>;
  onPick(value: Value): void;
}

export function pickStatus(place: HTMLElement | Place, choice: Choice<TaskStatus>): void {
  open(place, "Change the status", (close) => <StatusPicker {...closing(choice, close)} />);
}

export function pickPriority(place: HTMLElement | Place, choice: Choice<Priority>): void {
  open(place, "Change the priority", (close) => <PriorityPicker {...closing(choice, close)} />);
}

export function pickProject(place: HTMLElement | Place, choice: Choice<string | null>): void {
  open(place, "Move to a project", (close) => <ProjectPicker {...closing(choice, close)} />);
}

export function pickDueDate(place: HTMLElement | Place, choice: Choice<string | null>): void {
  open(place, "Change the due date", (close) => <DuePicker {...closing(choice, close)} />);
}

/** Tags are put on and taken off one by one; the picker stays open. */
export function pickTags(
  place: HTMLElement | Place,
  chosen: ReadonlySet<string>,
  onToggle: (tag: string, isOn: boolean) => void,
): void {
  open(place, "Change the tags", () => <TagPicker initial={chosen} onToggle={onToggle} />);
}

function open(place: HTMLElement | Place, label: string, render: (close: () => void) => ReactNode): void {
  openPopover(place, label, render);
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
