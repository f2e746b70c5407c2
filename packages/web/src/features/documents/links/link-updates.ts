import { queryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../../api/api.ts";
import { newLocalId } from "../../../api/local-id.ts";
import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { toasts } from "../../../components/toast.ts";
import { pluralize } from "../../../numbers/number-format.ts";
import { undoStack } from "../../../undo/undo-stack.ts";
import { shownName } from "../document.ts";
import { refreshVault } from "../vault/vault-store.ts";

export type LinkUpdateCounts = NonNullable<Outputs["fs"]["rename"]["data"]["linkUpdate"]>;
type LinkUpdate = Outputs["linkUpdates"]["list"]["data"][number];

const MAX_NAMED = 3;

/** The last changes of links. Refetched whenever documents change. */
export function linkUpdatesQuery(client: Client) {
  return queryOptions({
    queryKey: ["documents", "link-updates"],
    queryFn: async ({ signal }) => (await client.api.linkUpdates.list.query(undefined, { signal })).data,
    staleTime: 0,
  });
}

/** "12 links in 7 notes updated" */
export function describeLinks(updates: readonly Pick<LinkUpdate, "links" | "notes">[]): string {
  const sum = (field: "links" | "notes") => updates.reduce((total, update) => total + update[field], 0);
  return `${pluralize(sum("links"), "link")} in ${pluralize(sum("notes"), "note")} updated`;
}

/** Takes a change of links and the move that caused it back. Names the notes that were changed since. */
export async function undoLinkUpdate(client: Client, id: string): Promise<void> {
  const { refused } = (await client.api.linkUpdates.undo.mutate({ id })).data;
  if (refused.length === 0) return;
  const named = refused.slice(0, MAX_NAMED).map(({ path }) => `“${shownName(path)}”`);
  const others = refused.length > MAX_NAMED ? ` and ${refused.length - MAX_NAMED} more` : "";
  toasts(client).show({
    message: `${pluralize(refused.length, "note")} changed since: only links were changed back`,
    detail: named.join(", ") + others,
  });
}

/** Announces that links were changed because another program has moved files, and offers to take that back. */
export function announceOutsideUpdate(client: Client, update: LinkUpdate): void {
  undoStack(client).offer({
    id: newLocalId(),
    label: `${pluralize(update.moves.length, "file")} moved on disk; ${describeLinks([update])}`,
    undo: () => {
      void undoLinkUpdate(client, update.id)
        .then(() => refreshVault(client))
        .catch((error: unknown) => {
          toasts(client).show({
            message: "Could not move the files back",
            detail: toRequestError(error).message,
            tone: "danger",
          });
        });
    },
  });
}
