import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleCheckBig, X } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { readStored, useStored } from "../../browser/stored-value.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { dialogs } from "../shell/dialogs.ts";

/** Set once there is nothing left to show, so that nothing is asked for any more. */
const KEY = "first-steps";
const OVER = "over";

const LINK = "font-medium text-accent-text hover:underline";

interface Step {
  readonly title: string;
  readonly why: string;
  /** Undefined while that is not known. */
  readonly isDone: boolean | undefined;
  readonly action: ReactNode;
}

interface FirstStepsProps {
  readonly hasTasks: boolean;
  /** Called once it is known whether there is anything to show. */
  readonly onKnown: () => void;
}

/** The way into an empty workspace: four steps, each of which is done by what really happened. */
export default function FirstSteps({ hasTasks, onKnown }: FirstStepsProps) {
  const [stored, setStored] = useStored(KEY);
  const isOver = stored === OVER;
  useEffect(() => {
    if (isOver) onKnown();
  });
  return isOver ? null : <Steps hasTasks={hasTasks} onKnown={onKnown} onOver={() => setStored(OVER)} />;
}

function Steps({ hasTasks, onKnown, onOver }: FirstStepsProps & { readonly onOver: () => void }) {
  const { steps, isSettled } = useSteps(hasTasks);
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const left = steps.filter(({ isDone }) => isDone !== true).length;
  const isOver = isKnown && left === 0;
  useEffect(() => {
    if (isSettled) onKnown();
  });
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  if (!isKnown || isOver) return null;
  return (
    <section aria-labelledby="first-steps" className="rounded-panel border border-border bg-surface p-4">
      <div className="flex items-start justify-between gap-2">
        <div>
          <h2 id="first-steps" className="text-16 font-semibold text-strong">
            Welcome to your workspace
          </h2>
          <p className="text-muted">
            {left === 1 ? "One step is left." : `${left} of ${steps.length} steps are left.`}
          </p>
        </div>
        <IconButton label="Hide the first steps" icon={<X size={16} />} onClick={onOver} />
      </div>
      <ol className="mt-3 flex flex-col">
        {steps.map(({ title, why, isDone, action }) => (
          <li key={title} className="flex items-start gap-3 border-t border-border py-3">
            {isDone === true ? (
              <CircleCheckBig role="img" aria-label="Done" size={18} className="mt-0.5 shrink-0 text-success" />
            ) : (
              <Circle role="img" aria-label="Not done" size={18} className="mt-0.5 shrink-0 text-muted" />
            )}
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
              <div className="min-w-60 flex-1 max-md:basis-full">
                <h3 className={isDone === true ? "text-muted line-through" : "font-medium text-strong"}>{title}</h3>
                {isDone !== true && <p className="text-13 text-pretty text-muted">{why}</p>}
              </div>
              {isDone !== true && action}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What has happened of each step. Their keys begin with the kind of resource whose changes they follow. */
function stepQueries({ api }: Client) {
  return {
    notes: queryOptions({
      queryKey: ["documents", "has-any"],
      queryFn: async ({ signal }) => (await api.documents.list.query({ limit: 1 }, { signal })).data.length > 0,
    }),
    model: queryOptions({
      queryKey: ["modelSettings", "has-model"],
      queryFn: async ({ signal }) => {
        const { data } = await api.modelSettings.get.query(undefined, { signal });
        return data.chat !== null || data.environment.model !== null;
      },
    }),
    events: queryOptions({
      queryKey: ["hooks", "has-any"],
      queryFn: async ({ signal }) => (await api.hooks.listEvents.query({ limit: 1 }, { signal })).data.length > 0,
    }),
  };
}

/** Asks for what the steps depend on, unless they are over. */
export function requestFirstSteps(client: Client): void {
  if (readStored(KEY) === OVER) return;
  const { notes, model, events } = stepQueries(client);
  void client.queries.prefetchQuery(notes);
  void client.queries.prefetchQuery(model);
  void client.queries.prefetchQuery(events);
}

function useSteps(hasTasks: boolean): { readonly steps: readonly Step[]; readonly isSettled: boolean } {
  const client = useClient();
  const { notes: notesQuery, model: modelQuery, events: eventsQuery } = stepQueries(client);
  const notes = useQuery(notesQuery);
  const models = useQuery(modelQuery);
  const events = useQuery(eventsQuery);
  const steps = [
    {
      title: "Add a task",
      why: "Write down one thing that is on your mind. This page shows it when it is due.",
      isDone: hasTasks,
      action: (
        <Button tone="primary" shortcut="create" onClick={() => dialogs(client).open({ kind: "new-task" })}>
          Create your first task
        </Button>
      ),
    },
    {
      title: "Write a note",
      why: "Notes are Markdown files in a folder of yours, which your assistant reads, too.",
      isDone: notes.data,
      action: (
        <Link to="/documents" className={LINK}>
          Open documents
        </Link>
      ),
    },
    {
      title: "Choose a model",
      why: "Chat and agents need one: with a key of a provider, or a model that runs on your machine.",
      isDone: models.data,
      action: (
        <Link to="/settings" className={LINK}>
          Choose a model
        </Link>
      ),
    },
    {
      title: "Connect your coding assistant",
      why: "It gets your memories and tasks, and you see and guard what it does. One command in its terminal.",
      isDone: events.data,
      action: (
        <Link to="/connect" className={LINK}>
          Connect it
        </Link>
      ),
    },
  ];
  return { steps, isSettled: [notes, models, events].every(({ isPending }) => !isPending) };
}
