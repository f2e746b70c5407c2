import { useNavigate } from "@tanstack/react-router";
import type { FormEvent, KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { GrowingTextarea } from "../../components/field.tsx";
import { NewTaskChips } from "./new-task-chips.tsx";
import type { NewTaskDefaults } from "./new-task-defaults.ts";
import { refusesLast, useNewTaskForm } from "./new-task-draft.ts";
import { toasts } from "../../components/toast.ts";

const NO_DEFAULTS: NewTaskDefaults = {};

/** Creates a task from pages without a quick-add field. Closing keeps what was typed for the next time. */
export default function NewTaskDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const form = useNewTaskForm("anywhere", NO_DEFAULTS);
  const navigate = useNavigate();
  const create = () => {
    const { title } = form.draft;
    if (!form.submit()) return;
    onClose();
    toasts(client).show({
      message: `Created “${title.trim()}”`,
      action: { label: "Show tasks", run: () => void navigate({ to: "/tasks" }) },
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    create();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (refusesLast(event, form) || event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    create();
  };
  return (
    <Dialog title="New task" onClose={onClose} className="md:max-w-150">
      <form className="flex flex-col gap-4" onSubmit={onSubmit}>
        <GrowingTextarea
          aria-label="Title"
          placeholder="What needs to be done?"
          autoFocus
          rows={1}
          maxLength={500}
          value={form.draft.title}
          className="bg-transparent text-16 text-strong focus-visible:outline-none"
          onChange={(event) => form.change({ title: event.target.value.replaceAll("\n", " ") })}
          onKeyDown={onKeyDown}
        />
        <div className="flex flex-wrap items-center gap-1">
          <NewTaskChips form={form} hasProject />
        </div>
        <div className="flex justify-end">
          <Button type="submit" tone="primary" disabled={form.draft.title.trim() === ""}>
            Create task
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
