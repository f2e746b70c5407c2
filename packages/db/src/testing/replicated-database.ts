import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb, type Db } from "../db.ts";
import { startEmbeddedPostgres } from "../embedded/embedded-postgres.ts";

/** Two servers with the port of the embedded one, each on an address of its own. */
const [PRIMARY, STANDBY] = ["127.0.0.2", "127.0.0.3"];
const SETTINGS = { wal_level: "replica", max_wal_senders: "4", wal_keep_size: "256MB" };
const ACCESS = "local all all trust\nhost all all 127.0.0.0/8 trust\nhost replication all 127.0.0.0/8 trust\n";
const log = { info() {}, warn() {}, error() {} };

type Server = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

/** A database on a server with a standby that replicates it. */
export interface ReplicatedDatabase {
  /** Names both servers. */
  readonly url: string;
  /** The database on the primary. */
  readonly primary: Db;
  /** The database on the standby, which only reads until it is promoted. */
  readonly standby: Db;
  /** Ends the primary and all of its processes at once. It cannot be started again, like one whose machine is gone. */
  losePrimary(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server and a standby of it, which is in step. With synchronous replication, what is acknowledged is on both. Linux only: the
 * servers listen on loopback addresses that other systems have to be given first. One at a time on a machine.
 */
export async function startReplicatedDatabase({
  isSynchronous,
}: {
  readonly isSynchronous: boolean;
}): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-replication-"));
  // For the user that PostgreSQL runs as.
  await chmod(folder, 0o755);
  const hbaFile = join(folder, "pg_hba.conf");
  await writeFile(hbaFile, ACCESS);
  const start = (dataDir: string, address: string): Promise<Server> =>
    startEmbeddedPostgres({
      dataDir,
      log,
      settings: { ...SETTINGS, listen_addresses: address, hba_file: hbaFile },
    });
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  const first = await start(one, PRIMARY);
  const primary = createDb(first.poolConfig, { log });
  await mkdir(two);
  await copyAsStandby(join(one, "postgres"), join(two, "postgres"), primary);
  const second = await start(two, STANDBY);
  const standby = createDb(second.poolConfig, { log });
  if (isSynchronous) {
    await primary.pool.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await primary.pool.query("SELECT pg_reload_conf()");
  }
  for (let state = ""; state !== "streaming"; await sleep(50)) {
    const { rows } = await primary.pool.query<{ state: string }>("SELECT state FROM pg_stat_replication");
    state = rows[0]?.state ?? "";
  }
  return {
    url: `postgresql://workspace@${PRIMARY},${STANDBY}/workspace`,
    primary,
    standby,
    losePrimary: () => destroy(join(one, "postgres")),
    async promote() {
      await standby.pool.query("SELECT pg_promote()");
    },
    async close() {
      await Promise.all([primary.close(), standby.close()]);
      await second.close();
      await first.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Copies the cluster of a running server, as its documentation describes for backups, and makes the copy a standby. */
async function copyAsStandby(from: string, to: string, { pool }: Db): Promise<void> {
  const client = await pool.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  await cp(from, to, { recursive: true, filter: (path) => !/postmaster\.pid$|\.s\.PGSQL/.test(path) });
  const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  client.release();
  const { uid, gid } = await stat(join(from, "PG_VERSION"));
  const connection = `host=${PRIMARY} port=5432 user=workspace application_name=standby`;
  const files = {
    backup_label: rows[0]?.labelfile ?? "",
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = '${connection}'\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(to, name), text);
  await chown(to, uid, gid);
  for (const entry of await readdir(to, { recursive: true })) await chown(join(to, entry), uid, gid);
}

async function destroy(dir: string): Promise<void> {
  const postmaster = Number((await readFile(join(dir, "postmaster.pid"), "utf8")).split("\n")[0]);
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")).trim().split(" ");
  await rename(dir, `${dir}-gone`);
  for (const pid of [postmaster, ...children.map(Number)]) process.kill(pid, "SIGKILL");
}
