import { Download, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState, type KeyboardEvent } from "react";
import { downloadText } from "../../browser/download-text.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { floating } from "../../components/floating.ts";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatCost } from "../../numbers/number-format.ts";
import { SHORTCUTS } from "../../shortcuts/shortcut-table.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { updateConversation } from "./conversation-actions.ts";
import type { ConversationLog, Message } from "./conversation-log.ts";

const FavouriteButton = lazyPart(() => import("../shelf/favourite-button.tsx"));

const MAX_TITLE = 200;

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
    floating(client).openMenu(anchor, "More", [
      { label: "Rename", icon: <Pencil size={16} />, keys: SHORTCUTS.renameConversation.keys[0], run: rename },
      { label: "Export as Markdown", icon: <Download size={16} />, run: () => void exportMarkdown(title, branch) },
      "separator",
      { label: "Delete permanently…", icon: <Trash2 size={16} />, tone: "danger", run: onDelete },
    ]);
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-border pr-2 pl-4">
      {isRenaming ? (
        <TitleField
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next !== null && next !== title) void updateConversation(client, id, { title: next });
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

async function exportMarkdown(title: string, branch: readonly Message[]): Promise<void> {
  const { fileNameOf, toMarkdown } = await import("./conversation-markdown.ts");
  downloadText(fileNameOf(title), toMarkdown(title, branch), "text/markdown;charset=utf-8");
}

interface TitleFieldProps {
  readonly title: string;
  /** Called with the new title; null if it was not changed. */
  readonly onDone: (title: string | null) => void;
}

function TitleField({ title, onDone }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const finish = () => onDone(text.trim() === "" ? null : text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onDone(null);
    else if (event.key === "Enter") finish();
  };
  return (
    <input
      autoFocus
      aria-label="Title"
      maxLength={MAX_TITLE}
      value={text}
      className="h-8 min-w-0 flex-1 rounded-control border border-accent-text bg-surface px-1.5 text-strong touch:h-10 touch:text-16"
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={finish}
    />
  );
}
