import { useQuery } from "@tanstack/react-query";
import type { Author } from "@workspace/core";
import { clsx } from "clsx";
import { History } from "lucide-react";
import { useClient } from "../../../client/use-client.ts";
import { TimeAgo } from "../../../components/time-ago.tsx";
import { EmptyState, PartError, SkeletonRows } from "../../../components/states.tsx";
import { describeAuthor } from "../../authors/author-label.tsx";
import { versionsQuery } from "../document-queries.ts";
import { formatSize } from "../../../numbers/number-format.ts";
import type { Document } from "../document.ts";

interface VersionListProps {
  readonly document: Document;
  /** Who wrote the current content, if that is known. */
  readonly author: Author | null;
  readonly shownId: string | null;
  readonly onShow: (id: string | null) => void;
}

/** The earlier versions of a document: every save through the workspace keeps the one it replaced. */
export function VersionList({ document, author, shownId, onShow }: VersionListProps) {
  const client = useClient();
  const { data, error, refetch } = useQuery(versionsQuery(client, document));
  if (error !== null && data === undefined) {
    return (
      <div className="p-4">
        <PartError part="The earlier versions" error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.length === 0) {
    return (
      <EmptyState icon={<History size={20} />} title="No earlier versions">
        Every save keeps the version it replaces, so that you can compare and restore it.
      </EmptyState>
    );
  }
  return (
    <ul aria-label="Versions" className="flex flex-col gap-px p-2">
      <li>
        <VersionButton author={author} isShown={shownId === null} onClick={() => onShow(null)}>
          <span className="text-strong">Current</span>
          <span className="text-12 text-muted">
            <TimeAgo timestamp={document.modifiedAt} />
          </span>
        </VersionButton>
      </li>
      {data.map((version) => (
        <li key={version.id}>
          <VersionButton author={version.author} isShown={version.id === shownId} onClick={() => onShow(version.id)}>
            <span className="text-strong">
              <TimeAgo timestamp={version.createdAt} />
            </span>
            <span className="tabular text-12 text-muted">{formatSize(version.size)}</span>
          </VersionButton>
        </li>
      ))}
    </ul>
  );
}

interface VersionButtonProps {
  readonly author: Author | null;
  readonly isShown: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function VersionButton({ author, isShown, onClick, children }: VersionButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isShown}
      className={clsx(
        "flex min-h-9 w-full flex-col justify-center rounded-control px-2 py-1 text-left touch:min-h-12",
        isShown ? "bg-pressed font-medium" : "hover:bg-hover",
      )}
      onClick={onClick}
    >
      <span className="flex items-center justify-between gap-2">{children}</span>
      {author !== null && <span className="truncate text-12 font-normal text-muted">{describeAuthor(author)}</span>}
    </button>
  );
}
