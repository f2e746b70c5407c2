import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeftRight, FileText, Hourglass, Link2, MessageSquare, X } from "lucide-react";
import type { ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { LINK_ACTIONS, pickLink } from "./link-picker.tsx";
import { StatusIcon } from "./status-icon.tsx";
import { changeLink, type LinkKind, type TaskDetails, type TaskRef } from "./task-links.ts";
import { STATUS_LABELS, type Task } from "./task.ts";

const ICONS: Readonly<Record<string, ReactNode>> = {
  blockedBy: <Hourglass aria-hidden size={14} />,
  relatesTo: <ArrowLeftRight aria-hidden size={14} />,
  note: <Link2 aria-hidden size={14} />,
};

interface TaskRelationsProps {
  readonly task: Task;
  readonly details: TaskDetails;
}

/** What a task waits for, which can be changed, and what waits for it. */
export function TaskBlocksSection({ task, details }: TaskRelationsProps) {
  return (
    <section aria-label="What it waits for" className="flex flex-col gap-1 text-13">
      <TaskRefs task={task} title="Waits for" kind="blockedBy" tasks={details.blockedBy} removes="Do not wait for" />
      <AddButton task={task} kind="blockedBy" />
      <TaskRefs task={task} title="Others wait for it" kind="blocks" tasks={details.blocks} removes="Do not block" />
    </section>
  );
}

/** What concerns a task: other tasks, notes and conversations. */
export function TaskReferences({ task, details }: TaskRelationsProps) {
  const { relatesTo, notes, conversations } = details;
  const navigate = useNavigate();
  const openConversation = (id: string) => void navigate({ href: `/chat?conversation=${encodeURIComponent(id)}` });
  return (
    <section aria-label="Related" className="flex flex-col gap-1 text-13">
      <TaskRefs task={task} title="Related tasks" kind="relatesTo" tasks={relatesTo} removes="Do not relate to" />
      {notes.length + conversations.length > 0 && <h3 className="text-13 text-muted">Notes and conversations</h3>}
      <ul className="flex flex-col">
        {notes.map((note) => (
          <Target key={note.id} task={task} kind="note" target={note} isFixed={note.isNamed}>
            <Link to="/documents" search={{ doc: note.id }} className="truncate text-strong hover:underline">
              {note.title}
            </Link>
          </Target>
        ))}
        {conversations.map((conversation) => (
          <Target key={conversation.id} task={task} kind="conversation" target={conversation}>
            <button
              type="button"
              className="truncate text-strong hover:underline"
              onClick={() => openConversation(conversation.id)}
            >
              {conversation.title}
            </button>
          </Target>
        ))}
      </ul>
      <div className="flex flex-wrap gap-x-2">
        <AddButton task={task} kind="relatesTo" />
        <AddButton task={task} kind="note" />
      </div>
    </section>
  );
}

function AddButton({ task, kind }: { task: Task; kind: "blockedBy" | "relatesTo" | "note" }) {
  const client = useClient();
  return (
    <Button
      size="small"
      tone="ghost"
      className="-ml-2 self-start"
      aria-haspopup="dialog"
      icon={ICONS[kind]}
      onClick={(event) => pickLink(client, event.currentTarget, task.id, kind)}
    >
      {LINK_ACTIONS[kind]}
    </Button>
  );
}

interface TargetProps {
  readonly task: Task;
  readonly kind: "note" | "conversation";
  readonly target: { readonly id: string; readonly title: string; readonly isGone: boolean };
  /** Whether it is in the description, and can only be removed there. */
  readonly isFixed?: boolean;
  readonly children: ReactNode;
}

function Target({ task, kind, target, isFixed = false, children }: TargetProps) {
  const client = useClient();
  return (
    <li className="flex min-h-8 items-center gap-2 touch:min-h-11">
      <span className="flex w-4 shrink-0 justify-center text-muted">
        {kind === "note" ? <FileText aria-hidden size={14} /> : <MessageSquare aria-hidden size={14} />}
      </span>
      <span className="flex min-w-0 flex-1">
        {target.isGone ? <span className="truncate text-muted line-through">{target.title}</span> : children}
      </span>
      {target.isGone && <span className="shrink-0 text-12 text-muted">Deleted</span>}
      {isFixed ? (
        <span className="shrink-0 text-12 text-muted">In the description</span>
      ) : (
        <IconButton
          size="small"
          label={`Remove the link to ${target.title}`}
          icon={<X size={14} />}
          onClick={() => void changeLink(client, task.id, "remove", { kind, id: target.id })}
        />
      )}
    </li>
  );
}

interface TaskRefsProps {
  readonly task: Task;
  readonly title: string;
  readonly kind: LinkKind;
  readonly tasks: readonly TaskRef[];
  /** What removing one is called. */
  readonly removes: string;
}

function TaskRefs({ task, title, kind, tasks, removes }: TaskRefsProps) {
  const client = useClient();
  const openTask = useOpenTask();
  if (tasks.length === 0) return null;
  return (
    <>
      <h3 className="text-13 text-muted">{title}</h3>
      <ul className="flex flex-col">
        {tasks.map((other) => (
          <li key={other.id} className="flex min-h-8 items-center gap-2 touch:min-h-11">
            <StatusIcon status={other.status} />
            <span className="sr-only">{STATUS_LABELS[other.status]}: </span>
            <button
              type="button"
              className="min-w-0 flex-1 truncate text-left text-strong hover:underline"
              onClick={() => openTask(other.id)}
            >
              {other.title}
            </button>
            <IconButton
              size="small"
              label={`${removes} ${other.title}`}
              icon={<X size={14} />}
              onClick={() => void changeLink(client, task.id, "remove", { kind, id: other.id })}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
