import { MessagesSquare } from "lucide-react";
import { useEffect, useState } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { useSearchParams } from "../../lists/use-search-params.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { Page } from "../shell/page.tsx";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { useOutgoing } from "./outbox.ts";

/** Chat with a model that can work in the workspace. */
export default function ChatPage() {
  const [{ conversation: openId, message: shownId }, setSearchParams] = useSearchParams(parseChatSearch);
  const isPhone = useMediaQuery(PHONE);
  const [isListShown, setIsListShown] = useState(false);
  const open = (id: string | undefined, messageId?: string) => {
    setIsListShown(false);
    setSearchParams({ conversation: id, message: messageId });
  };
  useShortcut("create", () => open(undefined));
  useFirstAnswer(openId, open);
  const list = <ConversationList openId={openId} onOpen={open} onGone={() => open(undefined)} />;
  return (
    <Page
      title="Chat"
      createLabel="New chat"
      onCreate={() => open(undefined)}
      actions={
        isPhone && (
          <IconButton
            size="small"
            label="Conversations"
            aria-pressed={isListShown}
            icon={<MessagesSquare size={16} />}
            onClick={() => setIsListShown(!isListShown)}
          />
        )
      }
    >
      <div className="flex min-h-0 flex-1">
        {!isPhone && <div className="flex w-72 shrink-0 flex-col border-r border-border">{list}</div>}
        {isPhone && isListShown ? (
          <div className="flex min-w-0 flex-1 flex-col">{list}</div>
        ) : openId === undefined ? (
          <NewConversation />
        ) : (
          <ConversationView
            key={openId}
            id={openId}
            shownId={shownId}
            onShow={(messageId) => open(openId, messageId)}
            onGone={() => open(undefined)}
          />
        )}
      </div>
    </Page>
  );
}

/** Opens a conversation that was started here as soon as the server has created it. */
function useFirstAnswer(openId: string | undefined, open: (id: string) => void): void {
  const started = useOutgoing().find((message) => message.afterMessageId === null && message.conversationId !== null);
  const startedId = openId === undefined ? started?.conversationId : undefined;
  useEffect(() => {
    if (startedId !== undefined && startedId !== null) open(startedId);
  });
}

function parseChatSearch(search: Record<string, unknown>) {
  const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  return { conversation: textOf(search["conversation"]), message: textOf(search["message"]) };
}
