import { Ellipsis } from "lucide-react";
import { Suspense, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatCost } from "../../numbers/number-format.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { updateConversation } from "./conversation-actions.ts";
import { openConversationMenu } from "./conversation-menu.tsx";
import { TitleField } from "./title-field.tsx";
import type { ConversationLog, Message } from "./conversation-log.ts";

const FavouriteButton = lazyPart(() => import("../shelf/favourite-button.tsx"));

interface ConversationHeaderProps {
  readonly log: ConversationLog;
  /** The messages of the branch that is shown. */
  readonly branch: readonly Message[];
  readonly onDelete: () => void;
}

/** The title of a conversation, to be changed in place, with its cost and what can be done with it. */
export function ConversationHeader({ log, branch, onDelete }: ConversationHeaderProps) {
  const client = useClient();
  const [isRenaming, setRenaming] = useState(false);
  const { id, title } = log;
  const rename = () => setRenaming(true);
  useShortcut("renameConversation", rename);
  const openMenu = (anchor: HTMLElement) =>
    openConversationMenu(client, anchor, { id, title, branch, onRename: rename, onDelete });
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
      {isRenaming ? (
        <TitleField
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next !== null) void updateConversation(client, id, { title: next });
          }}
        />
      ) : (
        <h2 className="min-w-0 flex-1 truncate font-medium text-strong" onDoubleClick={rename}>
          {title}
        </h2>
      )}
      <span className="tabular shrink-0 text-12 text-muted">{formatCost(log.totalCostUsd, log.isCostKnown)}</span>
      <Suspense>
        <FavouriteButton item={{ kind: "conversation", id, title }} />
      </Suspense>
      <IconButton
        label="More"
        aria-haspopup="menu"
        icon={<Ellipsis size={16} />}
        onClick={(event) => openMenu(event.currentTarget)}
      />
    </header>
  );
}
