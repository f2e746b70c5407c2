import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";

const newProcess = defineCommand({
  name: "insert-server-process",
  text: `
    INSERT INTO server_processes (id, started_at, lease_expires_at, writer_id, session_name)
    VALUES ($1, $2, now() + $3 * interval '1 ms', $4, current_setting('application_name'))`,
});

/** Registers a process together with the name of its current database session. */
export async function insertProcess(
  db: Queryable,
  { id, startedAt, leaseMs, writerId }: { id: string; startedAt: Date; leaseMs: number; writerId: string },
): Promise<void> {
  await newProcess.run(db, [id, startedAt, leaseMs, writerId]);
}

const renewedLease = defineCommand({
  name: "renew-process-lease",
  text: "UPDATE server_processes SET lease_expires_at = now() + $2 * interval '1 ms' WHERE id = $1",
});

/** Renews the lease of a process, starting now; returns false if the process is no longer registered. */
export async function renewLease(db: Queryable, id: string, leaseMs: number): Promise<boolean> {
  return (await renewedLease.run(db, [id, leaseMs])) === 1;
}

const otherProcess = defineCommand({
  name: "select-other-process",
  text: "SELECT FROM server_processes WHERE id <> $1 AND lease_expires_at >= now() LIMIT 1",
});

/** Whether another process is alive. */
export async function hasOtherProcesses(db: Queryable, id: string): Promise<boolean> {
  return (await otherProcess.run(db, [id])) !== 0;
}

const deadProcesses = defineCommand({
  name: "select-dead-processes",
  text: "SELECT FROM server_processes WHERE lease_expires_at < now() AND id <> $1",
});

/** Whether the lease of another process has expired. */
export async function hasDeadProcesses(db: Queryable, id: string): Promise<boolean> {
  return (await deadProcesses.run(db, [id])) !== 0;
}

const endedLeases = defineCommand({
  name: "end-other-leases",
  text: "UPDATE server_processes SET lease_expires_at = '-infinity' WHERE id <> $1",
});

/** Ends the leases of all other processes. */
export async function endOtherLeases(db: Queryable, id: string): Promise<void> {
  await endedLeases.run(db, [id]);
}

const removedProcesses = defineQuery({
  name: "delete-dead-processes",
  row: { id: column.uuid, sessionName: column.text.nullable },
  text: `
    DELETE FROM server_processes WHERE lease_expires_at < now() AND id <> $1
    RETURNING id, session_name AS "sessionName"`,
});

/** Removes the other processes whose leases have expired from the register, and returns them. */
export function deleteDeadProcesses(db: Queryable, id: string): Promise<{ id: string; sessionName: string | null }[]> {
  return removedProcesses.all(db, [id]);
}

const endedSessions = defineCommand({
  name: "end-database-sessions",
  text: `
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name = ANY($1::text[])
      AND application_name <> current_setting('application_name')
      AND application_name NOT IN (SELECT session_name FROM server_processes WHERE session_name IS NOT NULL)`,
});

/**
 * Terminates database sessions by name, except those whose name is also used by a registered process or by the caller.
 * Returns how many were terminated.
 */
export function endSessions(db: Queryable, names: readonly string[]): Promise<number> {
  return endedSessions.run(db, [names]);
}

const livingWriters = defineQuery({
  name: "select-living-writers",
  row: { writerId: column.uuid.neverNull },
  text: `SELECT writer_id AS "writerId" FROM server_processes WHERE writer_id = ANY($1::uuid[])`,
});

/** The given writer ids whose processes are registered. */
export async function selectLivingWriters(db: Queryable, writerIds: readonly string[]): Promise<Set<string>> {
  return new Set((await livingWriters.all(db, [writerIds])).map(({ writerId }) => writerId));
}

const removedProcess = defineCommand({
  name: "delete-server-process",
  text: "DELETE FROM server_processes WHERE id = $1",
});

export async function deleteProcess(db: Queryable, id: string): Promise<void> {
  await removedProcess.run(db, [id]);
}
