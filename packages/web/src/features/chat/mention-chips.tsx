import { X } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { RESOURCES } from "../../resources/resources.ts";
import { ItemLink } from "../home/item-link.tsx";
import type { Mention } from "./mentions.ts";

interface MentionChipsProps {
  readonly mentions: readonly Mention[];
  /** Takes one out of a message that is being written; without it, they are links. */
  readonly onRemove?: (mention: Mention) => void;
}

/** What a message mentions. */
export function MentionChips({ mentions, onRemove }: MentionChipsProps) {
  if (mentions.length === 0) return null;
  return (
    <ul aria-label="Mentioned" className="flex min-w-0 flex-wrap gap-1.5">
      {mentions.map((mention) => {
        const { kind, id, title } = mention;
        const { icon: Icon, urlOf } = RESOURCES[kind];
        return (
          <li
            key={`${kind} ${id}`}
            className="flex h-(--control-height-small) max-w-60 min-w-0 items-center gap-1.5 rounded-control border border-border bg-raised px-2 text-12"
          >
            <Icon aria-hidden size={14} className="shrink-0 text-muted" />
            {onRemove === undefined ? (
              <ItemLink
                href={urlOf({ resourceId: id, resourceName: title })}
                taskId={kind === "task" ? id : undefined}
                className="truncate text-strong"
              >
                {title}
              </ItemLink>
            ) : (
              <>
                <span className="truncate text-strong">{title}</span>
                <IconButton
                  size="small"
                  label={`Do not mention ${title}`}
                  icon={<X size={12} />}
                  className="-mr-2 -ml-1"
                  onClick={() => onRemove(mention)}
                />
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
