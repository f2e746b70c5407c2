import { Hash, Pencil } from "lucide-react";
import { useMemo, useState, type KeyboardEvent } from "react";
import { useClient } from "../../../client/use-client.ts";
import { contextMenuPlace } from "../../../components/context-menu.ts";
import { floating, type PopupAnchor } from "../../../components/floating.ts";
import { EmptyState } from "../../../components/states.tsx";
import { NameEditor } from "./name-editor.tsx";
import { countTags, isTagName, tagTree } from "../properties/tag-form.ts";
import { renameTag } from "../properties/tag-actions.ts";
import type { Vault } from "../vault/vault-store.ts";

interface TagListProps {
  readonly vault: Vault;
  readonly onPick: (tag: string) => void;
}

/** All tags of the vault with the number of files that have them. */
export function TagList({ vault, onPick }: TagListProps) {
  const client = useClient();
  const tags = useMemo(() => tagTree(countTags(vault.documents)), [vault.documents]);
  const [renaming, setRenaming] = useState<string | null>(null);
  if (tags.length === 0) {
    return (
      <EmptyState icon={<Hash size={20} />} title="No tags yet">
        Write #garden in a note, or add tags to its properties.
      </EmptyState>
    );
  }
  const openMenu = (place: HTMLElement | PopupAnchor, tag: string) =>
    floating(client).openMenu(place, `#${tag}`, [
      { label: "Rename everywhere", icon: <Pencil size={16} />, run: () => setRenaming(tag) },
    ]);
  return (
    <ul aria-label="Tags" className="min-h-0 flex-1 overflow-y-auto p-1" onKeyDown={moveFocus}>
      {tags.map(({ tag, count, depth }, index) => (
        <li key={tag}>
          {renaming === tag ? (
            <NameEditor
              name={tag}
              label={`New name of #${tag}`}
              className="w-full"
              check={(name) => (isTagName(name) ? null : "Use letters, digits, _, - and / only.")}
              onRename={(name) => void renameTag(client, tag, name)}
              onStop={() => setRenaming(null)}
            />
          ) : (
            <button
              type="button"
              tabIndex={index === 0 ? 0 : -1}
              style={{ paddingLeft: `${8 + depth * 14}px` }}
              className="flex min-h-(--row-height) w-full items-center gap-2 rounded-control pr-2 text-left hover:bg-hover"
              aria-keyshortcuts="F2"
              onClick={() => onPick(tag)}
              onKeyDown={(event) => {
                if (event.key !== "F2") return;
                event.preventDefault();
                event.stopPropagation();
                setRenaming(tag);
              }}
              onContextMenu={(event) => {
                const place = contextMenuPlace(event);
                if (place !== null) openMenu(place, tag);
              }}
            >
              <Hash aria-hidden size={14} className="shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate text-strong">{tag}</span>
              <span className="tabular text-12 text-muted">
                {count}
                <span className="sr-only"> files</span>
              </span>
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const targets: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 };
  const target = targets[event.key];
  if (target === undefined || at === -1) return;
  event.preventDefault();
  event.stopPropagation();
  buttons[Math.min(Math.max(target, 0), buttons.length - 1)]?.focus();
}
