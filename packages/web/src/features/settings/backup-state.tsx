import { ArchiveRestore, DatabaseBackup } from "lucide-react";
import type { ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatDueDate } from "../../dates/date-format.ts";
import { useToday } from "../../dates/use-now.ts";
import { describeRun, PROBLEM_TITLES, RUNNING, type BackupRun, type BackupStatus } from "./backup.ts";
import { useBackupAction } from "./use-backup-action.ts";

const ROW = "flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2 text-13 last:border-0";

interface BackupStateProps {
  readonly status: BackupStatus;
  readonly hasPlace: boolean;
}

/** The last backup, the next one, and the last try at restoring one. */
export function BackupState({ status, hasPlace }: BackupStateProps) {
  const client = useClient();
  const { busyWith, refusal, begin } = useBackupAction();
  const { running, lastBackup, lastDrill, nextBackupAt, nextDrillAt, problem } = status;
  const isIdle = hasPlace && running === null;
  return (
    <section aria-labelledby="backups" className="flex flex-col gap-3">
      <header className="flex flex-col gap-1">
        <h2 id="backups" className="text-16 font-semibold text-strong">
          Backups
        </h2>
        <p className="text-pretty text-normal">
          Each contains the database, the vault and the keys of the server, all of one moment. Only what has changed is
          stored anew, and read back at once.
        </p>
      </header>
      {problem !== null && (
        <FormAlert tone="danger">
          <span className="font-medium">{PROBLEM_TITLES[problem.kind]}</span>,{" "}
          <TimeAgo timestamp={problem.run.startedAt} />. {problem.run.message}
        </FormAlert>
      )}
      <ul aria-label="State" className="flex flex-col rounded-panel border border-border px-4">
        <Fact name="Last backup">
          <Run run={lastBackup} none="None yet" />
        </Fact>
        <Fact name="Next backup">
          <Time at={nextBackupAt} none="None is scheduled" />
        </Fact>
        <Fact name="Last restore drill">
          <Run run={lastDrill} none="None yet" />
        </Fact>
        <Fact name="Next restore drill">
          <Time at={nextDrillAt} none="None is scheduled" />
        </Fact>
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          icon={<DatabaseBackup aria-hidden size={14} />}
          disabled={!isIdle}
          isBusy={busyWith === "backup"}
          onClick={() => void begin("backup", () => client.api.backups.start.mutate())}
        >
          Back up now
        </Button>
        <Button
          size="small"
          tone="ghost"
          icon={<ArchiveRestore aria-hidden size={14} />}
          disabled={!isIdle || lastBackup === null}
          isBusy={busyWith === "drill"}
          onClick={() => void begin("drill", () => client.api.backups.drill.mutate())}
        >
          Try out a restore
        </Button>
        <p role="status" className="text-13 text-muted">
          {running === null ? "" : `${RUNNING[running.kind]}…`}
        </p>
      </div>
      {refusal !== null && <FormAlert tone="danger">Not begun. {refusal}</FormAlert>}
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <li className={ROW}>
      <span className="text-strong">{name}</span>
      <span className="ml-auto min-w-0 text-right [overflow-wrap:anywhere] text-muted">{children}</span>
    </li>
  );
}

function Run({ run, none }: { readonly run: BackupRun | null; readonly none: string }) {
  if (run === null) return none;
  return (
    <>
      <TimeAgo timestamp={run.startedAt} />, {describeRun(run)}
      {run.message !== null && <span className="block text-warning">{run.message}</span>}
    </>
  );
}

function Time({ at, none }: { readonly at: string | null; readonly none: string }) {
  const today = useToday();
  if (at === null) return none;
  return <time dateTime={at}>{formatDueDate(at, today)}</time>;
}
