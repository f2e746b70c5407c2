import { Download, Pencil, Star, Trash2 } from "lucide-react";
import { toRequestError } from "../../api/request-error.ts";
import { computeInSlices } from "../../browser/compute-in-slices.ts";
import { downloadText } from "../../browser/download-text.ts";
import type { Client } from "../../client/client.ts";
import { floating, type PopupAnchor } from "../../components/floating.ts";
import { toasts } from "../../components/toast.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { isSameItem, putFavourite, removeFavourite, shelfQuery } from "../shelf/shelf.ts";
import { branchWith } from "./branches.ts";
import type { Message } from "./conversation-log.ts";

interface ConversationMenuTarget {
  readonly id: string;
  readonly title: string;
  /** The messages of the branch that is exported; undefined if they have to be read. */
  readonly branch?: readonly Message[];
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

/** Opens the menu of a conversation. */
export function openConversationMenu(
  client: Client,
  place: HTMLElement | PopupAnchor,
  { id, title, branch, onRename, onDelete }: ConversationMenuTarget,
): void {
  const item = { kind: "conversation", id, title, url: "", openedAt: null } as const;
  const favourites = client.queries.getQueryData(shelfQuery(client).queryKey)?.favourites ?? [];
  const isFavourite = favourites.some((other) => isSameItem(other, item));
  floating(client).openMenu(place, "More", [
    {
      label: "Rename",
      icon: <Pencil size={16} />,
      keys: SHORTCUT_KEYS.renameConversation[0],
      run: onRename,
    },
    {
      label: isFavourite ? "Remove from favourites" : "Add to favourites",
      icon: <Star size={16} />,
      run: () => void (isFavourite ? removeFavourite(client, item) : putFavourite(client, item)),
    },
    {
      label: "Export as Markdown",
      icon: <Download size={16} />,
      run: () => void exportConversation(client, { id, title, branch }),
    },
    "separator",
    { label: "Delete permanently…", icon: <Trash2 size={16} />, tone: "danger", run: onDelete },
  ]);
}

async function exportConversation(
  client: Client,
  { id, title, branch }: Pick<ConversationMenuTarget, "id" | "title"> & { branch: readonly Message[] | undefined },
): Promise<void> {
  try {
    const [{ fileNameOf, toMarkdown }, messages] = await Promise.all([
      import("./conversation-markdown.ts"),
      branch ?? client.api.conversations.get.query({ id }).then(({ data }) => branchWith(data.messages, undefined)),
    ]);
    const text = await computeInSlices(toMarkdown(title, messages));
    downloadText(fileNameOf(title), text, "text/markdown;charset=utf-8");
  } catch (error) {
    const detail = toRequestError(error).message;
    toasts(client).show({ message: "The conversation was not exported", detail, tone: "danger" });
  }
}
