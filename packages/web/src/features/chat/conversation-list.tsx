import { clsx } from "clsx";
import { Star } from "lucide-react";
import { Suspense, useDeferredValue, useRef, useState, type UIEvent } from "react";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { contextMenuPlace, isByTouch } from "../../components/context-menu.ts";
import type { PopupAnchor } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useLongPress } from "../../lists/use-long-press.ts";
import { TextFilter } from "../../lists/text-filter.tsx";
import { useUnread } from "../home/news.ts";
import { useShelf } from "../shelf/shelf.ts";
import { updateConversation } from "./conversation-actions.ts";
import { openConversationMenu } from "./conversation-menu.tsx";
import { TitleField } from "./title-field.tsx";
import type { FoundConversation } from "./conversation-log.ts";

const DeleteConversationDialog = lazyPart(() => import("./delete-conversation-dialog.tsx"));

const PAGE_SIZE = 100;
const END_PX = 400;

interface ConversationListProps {
  readonly openId: string | undefined;
  /** Opens a conversation, at a message if one is given. */
  readonly onOpen: (id: string, messageId?: string) => void;
  /** Called when the open conversation has been deleted here. */
  readonly onGone: () => void;
}

/** All conversations, newest first, filtered by text. */
export function ConversationList({ openId, onOpen, onGone }: ConversationListProps) {
  const client = useClient();
  const [text, setText] = useState("");
  const [renamingId, setRenamingId] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<FoundConversation | null>(null);
  const search = useDeferredValue(text.trim());
  const { rows, isLoading, error, retry, loadMore } = usePagedRows({
    queryKey: ["conversations", "list", search],
    readPage: (cursor, signal) =>
      client.api.conversations.list.query({ limit: PAGE_SIZE, cursor, ...(search !== "" && { search }) }, { signal }),
  });
  const unread = useUnread("conversation");
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    if (scrollHeight - scrollTop - clientHeight < END_PX) loadMore();
  };
  return (
    <nav aria-label="Conversations" className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center border-b border-border px-3">
        <TextFilter text={text} onText={setText} />
      </div>
      {isLoading && <SkeletonRows />}
      {error !== null && <ErrorState title="The conversations could not be loaded" error={error} onRetry={retry} />}
      {!isLoading && error === null && rows.length === 0 && (
        <p className="p-4 text-13 text-muted">
          {search === "" ? "No conversations yet." : "No matching conversations."}
        </p>
      )}
      <div className="min-h-0 flex-1 overflow-y-auto p-2" onScroll={onScroll}>
        {search === "" && <Favourites openId={openId} onOpen={onOpen} />}
        <ul>
          {rows.map((conversation) => (
            <li key={conversation.id} className="flex">
              {conversation.id === renamingId ? (
                <TitleField
                  title={conversation.title}
                  onDone={(title) => {
                    setRenamingId(null);
                    if (title !== null) void updateConversation(client, conversation.id, { title });
                  }}
                />
              ) : (
                <Entry
                  conversation={conversation}
                  isOpen={conversation.id === openId}
                  isUnread={unread.has(conversation.id)}
                  onOpen={() => onOpen(conversation.id, conversation.match?.messageId)}
                  onRename={() => setRenamingId(conversation.id)}
                  onDelete={() => setDeleting(conversation)}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
      <Suspense>
        {deleting !== null && (
          <DeleteConversationDialog
            id={deleting.id}
            title={deleting.title}
            onClose={() => setDeleting(null)}
            onDeleted={() => deleting.id === openId && onGone()}
          />
        )}
      </Suspense>
    </nav>
  );
}

/** The conversations among the favourites of the person, in their order. */
function Favourites({ openId, onOpen }: Pick<ConversationListProps, "openId" | "onOpen">) {
  const favourites = useShelf()?.favourites.filter(({ kind }) => kind === "conversation") ?? [];
  if (favourites.length === 0) return null;
  return (
    <section aria-label="Favourites" className="mb-2 border-b border-border pb-2">
      <h3 className="px-2.5 py-1 text-12 font-medium text-muted">Favourites</h3>
      <ul>
        {favourites.map(({ id, title }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === openId ? "page" : undefined}
              className={clsx(
                "flex h-(--control-height) w-full items-center gap-2 rounded-control px-2.5 text-left",
                id === openId ? "bg-pressed" : "hover:bg-hover",
              )}
              onClick={() => onOpen(id)}
            >
              <Star aria-hidden size={14} className="shrink-0 text-muted" />
              <span className="truncate text-strong">{title}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface EntryProps {
  readonly conversation: FoundConversation;
  readonly isOpen: boolean;
  /** Whether there is an answer that the person has not seen. */
  readonly isUnread: boolean;
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function Entry({ conversation, isOpen, isUnread, onOpen, onRename, onDelete }: EntryProps) {
  const client = useClient();
  const ref = useRef<HTMLButtonElement>(null);
  const { id, title, status, startedAt, match } = conversation;
  const openMenu = (place: HTMLElement | PopupAnchor | null) =>
    place !== null && openConversationMenu(client, place, { id, title, onRename, onDelete });
  // Not every browser takes a long press for a right click.
  const longPress = useLongPress(() => openMenu(ref.current));
  return (
    <button
      ref={ref}
      type="button"
      aria-current={isOpen ? "page" : undefined}
      className={clsx(
        "flex min-h-10 w-full flex-col gap-0.5 rounded-control px-2.5 py-1.5 text-left touch:min-h-11",
        isOpen ? "bg-pressed" : "hover:bg-hover",
      )}
      onClick={() => longPress.wasLong() || onOpen()}
      onContextMenu={(event) => {
        const place = contextMenuPlace(event);
        // A long press has opened it already.
        if (!isByTouch(event)) openMenu(place);
      }}
      {...longPress.handlers}
    >
      <span className="flex w-full items-center gap-2">
        <span className={clsx("min-w-0 flex-1 truncate text-strong", isUnread && "font-semibold")}>{title}</span>
        {isUnread && <span role="img" aria-label="Unread" className="size-2 shrink-0 rounded-full bg-accent" />}
      </span>
      {match !== null && <span className="line-clamp-2 text-12 text-normal">{match.excerpt}</span>}
      <span className="flex gap-2 text-12 text-muted">
        <TimeAgo timestamp={startedAt} />
        {status === "streaming" && <span className="text-info">answering</span>}
        {status === "error" && <span className="text-danger">failed</span>}
      </span>
    </button>
  );
}
