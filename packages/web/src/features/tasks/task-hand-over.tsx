import { useQuery } from "@tanstack/react-query";
import { Forward } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select, Textarea } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { handOverTask } from "./task-queue.ts";
import type { Task } from "./task.ts";

const MAX_NOTE = 2_000;

/** Says whom an open task is meant for, and hands it to somebody else, with a note. */
export function TaskHandOver({ task }: { readonly task: Task }) {
  const [isOpen, setOpen] = useState(false);
  const { assignee } = task;
  if (task.status === "done") return null;
  if (isOpen) return <HandOverForm task={task} onClose={() => setOpen(false)} />;
  return (
    <div className="flex items-center gap-2 text-13">
      {assignee !== null && (
        <span className="min-w-0 truncate text-normal">
          For <span className="font-medium text-strong">{assignee.name}</span>
        </span>
      )}
      <Button
        size="small"
        tone="ghost"
        className="-ml-2"
        icon={<Forward aria-hidden size={14} />}
        onClick={() => setOpen(true)}
      >
        Hand over…
      </Button>
    </div>
  );
}

function HandOverForm({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const client = useClient();
  const { data: parties } = useQuery({
    ...trpc(client).tasks.parties.queryOptions(),
    select: ({ data }) => data,
  });
  const [to, setTo] = useState(task.assignee === null ? "" : keyOf(task.assignee));
  const [note, setNote] = useState("");
  const { error, isBusy, submit } = useSubmit(parties !== undefined, async () => {
    const party = parties?.find((one) => keyOf(one) === to);
    await handOverTask(client, {
      id: task.id,
      to: party === undefined ? null : { kind: party.kind, id: party.id },
      ...(note.trim() !== "" && { note: note.trim() }),
    });
    onClose();
  });
  return (
    <form
      aria-label="Hand over"
      className="flex flex-col gap-3 rounded-control border border-border px-3 py-2"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      {error !== null && <FormAlert tone="danger">Not handed over. {error}</FormAlert>}
      <Field label="To" hint="The queue gives it to nobody else.">
        {(control) => (
          <Select {...control} autoFocus className="w-full" value={to} onChange={(event) => setTo(event.target.value)}>
            <option value="">Whoever takes it</option>
            {parties?.map((party) => (
              <option key={keyOf(party)} value={keyOf(party)}>
                {party.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Note" hint="What the next one has to know.">
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button size="small" tone="ghost" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size="small" tone="primary" isBusy={isBusy}>
          Hand over
        </Button>
      </div>
    </form>
  );
}

function keyOf({ kind, id }: NonNullable<Task["assignee"]>): string {
  return `${kind}:${id}`;
}
