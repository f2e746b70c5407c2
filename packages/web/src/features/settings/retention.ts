import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { pluralize } from "../../numbers/number-format.ts";

export type RetentionSettings = Outputs["retention"]["settings"]["data"];
export type RetentionStatus = Outputs["retention"]["status"]["data"];
export type Retained = RetentionSettings["kinds"][number];
export type RetentionKind = Retained["kind"];
export type RetentionPreview = Outputs["retention"]["preview"]["data"][number];

const BUSY_REFETCH_MS = 1_000;
const IDLE_REFETCH_MS = 30_000;

/** When old data was removed last, and whether it is being removed. */
export function retentionStatusQuery(client: Client) {
  return {
    ...trpc(client).retention.status.queryOptions(),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: { data: RetentionStatus } | undefined } }) =>
      state.data?.data.isRunning === true ? BUSY_REFETCH_MS : IDLE_REFETCH_MS,
  };
}

interface KindText {
  readonly label: string;
  readonly noun: string;
  readonly hint: string;
}

export const KIND_TEXTS: Readonly<Record<RetentionKind, KindText>> = {
  hookEvents: {
    label: "Hook events",
    noun: "event",
    hint: "What assistants did, by which sessions are shown and found. Statistics stay the same.",
  },
  transcripts: {
    label: "Session transcripts",
    noun: "transcript",
    hint: "What was said in sessions of assistants, after the last addition.",
  },
  assistantUsage: {
    label: "Usage of assistants",
    noun: "report",
    hint: "Tokens and costs of single answers. The sums of sessions stay the same.",
  },
  usage: { label: "Usage of models", noun: "record", hint: "Tokens and costs of the workspace’s own calls." },
  runs: {
    label: "Runs of agents",
    noun: "run",
    hint: "With their outputs and the questions of programs. The last one of each agent stays.",
  },
  signIns: { label: "Sign-ins", noun: "entry", hint: "When each person signed in last stays." },
  secretAccesses: { label: "Uses of secrets", noun: "entry", hint: "Who used which secret, and when." },
  changes: {
    label: "Change log",
    noun: "change",
    hint: "From which pages and programs catch up; those that were away for longer read everything again. At most 20,000 are kept.",
  },
  conversations: {
    label: "Conversations",
    noun: "conversation",
    hint: "After the last message. Favourites stay. What is removed cannot be restored.",
  },
  deletedTasks: { label: "Deleted tasks", noun: "task", hint: "With their comments and history, after the deletion." },
  deletedProjects: { label: "Deleted projects", noun: "project", hint: "Those that nothing belongs to any more." },
  deletedViews: { label: "Deleted views", noun: "view", hint: "After the deletion." },
  versions: {
    label: "Versions of documents",
    noun: "version",
    hint: "Earlier contents. Many of one document are thinned out in any case.",
  },
  trash: {
    label: "Trash of the vault",
    noun: "file",
    hint: "Deleted files, after the deletion. The text of Markdown stays.",
  },
};

/** What people made comes first. */
export const KIND_GROUPS: readonly { readonly title: string; readonly kinds: readonly RetentionKind[] }[] = [
  {
    title: "What you made",
    kinds: ["conversations", "versions", "trash", "deletedTasks", "deletedProjects", "deletedViews"],
  },
  {
    title: "What was recorded",
    kinds: ["hookEvents", "transcripts", "assistantUsage", "usage", "runs", "signIns", "secretAccesses", "changes"],
  },
];

/** "1,204 events", "1 entry", "2 entries" */
export function countOf(kind: RetentionKind, rows: number): string {
  const { noun } = KIND_TEXTS[kind];
  return noun === "entry" ? pluralize(rows, "entry", "entries") : pluralize(rows, noun);
}

/** What is sent of a draft: a choice that was never made and is the default stays unmade. */
export function toChosenDays(kinds: readonly Retained[], draft: Readonly<Record<string, number | null>>) {
  const chosen = kinds.flatMap(({ kind, chosenDays, defaultDays, isFromEnvironment }) => {
    const days = isFromEnvironment ? chosenDays : draft[kind];
    return days === undefined || (chosenDays === undefined && days === defaultDays) ? [] : [[kind, days] as const];
  });
  return Object.fromEntries(chosen);
}
