import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileText, MessageSquare, SquareTerminal } from "lucide-react";
import { useState, type ReactNode } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { OptionList } from "../../components/option-list.tsx";
import { useDebounced } from "../palette/use-debounced.ts";
import { updateTasks } from "./task-actions.ts";
import { changeLink, type LinkKind } from "./task-links.ts";
import { pickTask } from "./task-pickers.tsx";

/** What is offered to connect a task with something. */
export const LINK_ACTIONS = {
  blockedBy: "Wait for another task",
  relatesTo: "Relate to another task",
  parent: "Make it a subtask of…",
  note: "Link a note or a conversation",
} as const;

const NONE: ReadonlySet<string> = new Set();
const DELAY_MS = 120;
const LIMIT = 30;

const ICONS: Readonly<Record<string, ReactNode>> = {
  document: <FileText size={16} className="text-muted" />,
  conversation: <MessageSquare size={16} className="text-muted" />,
  session: <SquareTerminal size={16} className="text-muted" />,
};
const LINKED_AS: Readonly<Record<string, LinkKind>> = {
  document: "note",
  conversation: "conversation",
  session: "session",
};

/** Chooses what a task is connected with, by typing, and connects it. */
export function pickLink(
  client: Client,
  place: HTMLElement | PopupAnchor,
  taskId: string,
  kind: keyof typeof LINK_ACTIONS,
): void {
  const label = LINK_ACTIONS[kind];
  if (kind === "note") {
    floating(client).openPopover(place, label, (close) => (
      <TargetPicker
        label={label}
        onPick={(linked, id) => {
          close();
          void changeLink(client, taskId, "add", { kind: linked, id });
        }}
      />
    ));
    return;
  }
  pickTask(client, place, {
    label,
    except: new Set([taskId]),
    onPick: (id) => {
      if (kind === "parent") void updateTasks(client, [taskId], { parentId: id });
      else void changeLink(client, taskId, "add", { kind, id });
    },
  });
}

/** Notes, conversations and sessions of assistants, found by their words. */
function TargetPicker({ label, onPick }: { label: string; onPick: (kind: LinkKind, id: string) => void }) {
  const client = useClient();
  const [text, setText] = useState("");
  const searched = useDebounced(text.trim(), DELAY_MS).slice(0, 1_000);
  const { data } = useQuery({
    ...trpc(client).search.find.queryOptions({
      q: searched,
      kinds: ["document", "conversation", "session"],
      limit: LIMIT,
    }),
    enabled: searched !== "",
    placeholderData: keepPreviousData,
  });
  const hits = searched === "" ? [] : (data?.data ?? []);
  return (
    <OptionList
      label={label}
      options={hits.map(({ kind, id, title }) => ({ value: `${kind}:${id}`, label: title, icon: ICONS[kind] }))}
      chosen={NONE}
      isFiltered
      onSearch={setText}
      onPick={(value) => {
        const separator = value.indexOf(":");
        const kind = LINKED_AS[value.slice(0, separator)];
        if (kind !== undefined) onPick(kind, value.slice(separator + 1));
      }}
    />
  );
}
