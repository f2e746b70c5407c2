import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { History } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { versionsQuery } from "./document-queries.ts";
import { formatSize, type Document } from "./document.ts";

interface VersionListProps {
  readonly document: Document;
  readonly shownId: string | null;
  readonly onShow: (id: string | null) => void;
}

/** The earlier versions of a document: every save through the workspace keeps the one it replaced. */
export function VersionList({ document, shownId, onShow }: VersionListProps) {
  const client = useClient();
  const { data, error, refetch } = useQuery(versionsQuery(client, document));
  if (error !== null && data === undefined) {
    return <ErrorState title="The versions could not be loaded" error={error} onRetry={() => void refetch()} />;
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
        <VersionButton isShown={shownId === null} onClick={() => onShow(null)}>
          <span className="text-strong">Current</span>
          <span className="text-12 text-muted">
            <TimeAgo timestamp={document.modifiedAt} />
          </span>
        </VersionButton>
      </li>
      {data.map((version) => (
        <li key={version.id}>
          <VersionButton isShown={version.id === shownId} onClick={() => onShow(version.id)}>
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
  readonly isShown: boolean;
  readonly onClick: () => void;
  readonly children: React.ReactNode;
}

function VersionButton({ isShown, onClick, children }: VersionButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isShown}
      className={clsx(
        "flex min-h-9 w-full items-center justify-between gap-2 rounded-control px-2 touch:min-h-12",
        isShown ? "bg-pressed font-medium" : "hover:bg-hover",
      )}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
