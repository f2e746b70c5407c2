import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { useDeferredValue, useState, type UIEvent } from "react";
import { trpcClient } from "../../api/trpc.ts";
import { Instant } from "../../components/instant.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { TextFilter } from "../../lists/text-filter.tsx";
import type { Conversation } from "./conversation-log.ts";

const PAGE_SIZE = 100;
const END_PX = 400;

interface ConversationListProps {
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** All conversations, the newest first, narrowed by words. */
export function ConversationList({ openId, onOpen }: ConversationListProps) {
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["conversations", "list", search],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.conversations.list.query(
        { limit: PAGE_SIZE, cursor: pageParam, ...(search !== "" && { search }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
  const conversations = (data?.pages ?? []).flatMap((page) => page.data);
  const onScroll = ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent) => {
    const isAtEnd = scrollHeight - scrollTop - clientHeight < END_PX;
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  };
  return (
    <nav aria-label="Conversations" className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center border-b border-border px-3">
        <TextFilter text={text} onText={setText} />
      </div>
      {isPending && <SkeletonRows />}
      {error !== null && conversations.length === 0 && (
        <ErrorState title="The conversations could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!isPending && error === null && conversations.length === 0 && (
        <p className="p-4 text-13 text-muted">{search === "" ? "No conversations yet." : "Nothing has these words."}</p>
      )}
      <ul className="min-h-0 flex-1 overflow-y-auto p-2" onScroll={onScroll}>
        {conversations.map((conversation) => (
          <Entry
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === openId}
            onOpen={() => onOpen(conversation.id)}
          />
        ))}
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly conversation: Conversation;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

function Entry({ conversation: { title, status, startedAt }, isOpen, onOpen }: EntryProps) {
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? "page" : undefined}
        className={clsx(
          "flex min-h-10 w-full flex-col gap-0.5 rounded-control px-2.5 py-1.5 text-left touch:min-h-11",
          isOpen ? "bg-pressed" : "hover:bg-hover",
        )}
        onClick={onOpen}
      >
        <span className="w-full truncate text-strong">{title}</span>
        <span className="flex gap-2 text-12 text-muted">
          <Instant timestamp={startedAt} />
          {status === "streaming" && <span className="text-info">answering</span>}
          {status === "error" && <span className="text-danger">failed</span>}
        </span>
      </button>
    </li>
  );
}
