import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck } from "lucide-react";
import { useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { SkeletonRows } from "../../components/states.tsx";
import { formatDueDate } from "../../dates/date-format.ts";
import { useToday } from "../../dates/use-now.ts";
import { formatSize, pluralize } from "../../numbers/number-format.ts";
import type { BackupStatus, StoredBackup } from "./backup.ts";
import { useBackupAction } from "./use-backup-action.ts";

const SHOWN = 10;

interface BackupListProps {
  readonly status: BackupStatus;
  readonly settingsVersion: number;
}

/** The backups that there are, each of which can be checked. */
export function BackupList({ status, settingsVersion }: BackupListProps) {
  const client = useClient();
  const { busyWith, refusal, begin } = useBackupAction();
  const [showsAll, setShowsAll] = useState(false);
  // What is stored changes with the place and with each backup, and a check may find it damaged.
  const { lastBackup, lastVerify, problem } = status;
  const last = [lastBackup, lastVerify, problem?.run].map((run) => run?.id ?? null);
  const query = useQuery({
    queryKey: ["stored-backups", settingsVersion, ...last],
    queryFn: async ({ signal }) => client.api.backups.list.query(undefined, { signal }),
    // Those of another place are not shown meanwhile.
    placeholderData: (before, query) => (query?.queryKey[1] === settingsVersion ? before : undefined),
    retry: false,
  });
  const backups = query.data?.data;
  const verify = (id: string) => void begin(id, () => client.api.backups.verify.mutate({ id }));
  return (
    <section aria-labelledby="stored-backups" className="flex flex-col gap-2">
      <h2 id="stored-backups" className="text-14 font-semibold text-strong">
        Stored backups
      </h2>
      {query.error !== null && <FormAlert tone="danger">{toRequestError(query.error).message}</FormAlert>}
      {query.error === null && backups === undefined && <SkeletonRows />}
      {refusal !== null && <FormAlert tone="danger">Not begun. {refusal}</FormAlert>}
      {backups?.length === 0 && <p className="text-13 text-muted">None yet.</p>}
      {backups !== undefined && backups.length > 0 && (
        <ul aria-labelledby="stored-backups" className="flex flex-col rounded-panel border border-border px-4">
          {(showsAll ? backups : backups.slice(0, SHOWN)).map((backup) => (
            <Row
              key={backup.id}
              backup={backup}
              verdict={verdictOn(backup, status)}
              isBusy={busyWith === backup.id || status.running?.backupId === backup.id}
              canVerify={status.running === null}
              onVerify={() => verify(backup.id)}
            />
          ))}
        </ul>
      )}
      {backups !== undefined && backups.length > SHOWN && !showsAll && (
        <Button size="small" tone="ghost" className="self-start" onClick={() => setShowsAll(true)}>
          Show all {backups.length}
        </Button>
      )}
      <p className="text-12 text-pretty text-muted">
        To restore, use the command line: <code>npm run workspace -- restore --help</code>
      </p>
    </section>
  );
}

function verdictOn({ id, isDamaged }: StoredBackup, { lastVerify, problem }: BackupStatus): RowProps["verdict"] {
  if (isDamaged || (problem?.kind === "backup damaged" && problem.run.backupId === id)) return "damaged";
  return lastVerify?.backupId === id ? "whole" : null;
}

interface RowProps {
  readonly backup: StoredBackup;
  /** What is known of its content: whole only if it was the last one that was read back. */
  readonly verdict: "whole" | "damaged" | null;
  readonly isBusy: boolean;
  readonly canVerify: boolean;
  readonly onVerify: () => void;
}

function Row({ backup, verdict, isBusy, canVerify, onVerify }: RowProps) {
  const today = useToday();
  const { id, createdAt, rows, files, vaultBytes, version, disagreements } = backup;
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2 text-13 last:border-0">
      <time dateTime={createdAt} className="text-strong">
        {formatDueDate(createdAt, today)}
      </time>
      <span className="text-muted">
        {pluralize(rows, "row")}, {pluralize(files, "file")} of {formatSize(vaultBytes)}, version {version}
        {disagreements > 0 && `, ${pluralize(disagreements, "file")} did not agree with the records`}
      </span>
      <span className="ml-auto flex items-center gap-2">
        {verdict === "whole" && (
          <span className="flex items-center gap-1 text-success">
            <CircleCheck aria-hidden size={14} /> Whole
          </span>
        )}
        {verdict === "damaged" && (
          <span className="flex items-center gap-1 text-danger">
            <CircleAlert aria-hidden size={14} /> Damaged
          </span>
        )}
        <Button
          size="small"
          tone="ghost"
          isBusy={isBusy}
          disabled={!canVerify && !isBusy}
          aria-label={`Check ${id}`}
          onClick={onVerify}
        >
          Check
        </Button>
      </span>
    </li>
  );
}
