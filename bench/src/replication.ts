/**
 * A PostgreSQL server with a streaming standby is killed under load, and the standby is promoted: `npm run bench -- replication [rounds=5]`.
 * Counts acknowledged writes that are not on the promoted server, with asynchronous and with synchronous replication, and how long none
 * succeeded. Linux only.
 */
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createDb, externalDatabase, startEmbeddedPostgres } from "@workspace/db";
import { percentile } from "./model-service.ts";

const rounds = Number(process.argv[2] ?? 5);
/** Two servers with the port of the embedded one, each on an address of its own. */
const [PRIMARY, STANDBY] = ["127.0.0.2", "127.0.0.3"];
const WRITERS = 8;
const log = { info() {}, warn() {}, error() {} };
const SETTINGS = { wal_level: "replica", max_wal_senders: "4", wal_keep_size: "256MB" };

function startServer(dataDir: string, address: string, hbaFile: string) {
  return startEmbeddedPostgres({
    dataDir,
    log,
    settings: { ...SETTINGS, listen_addresses: address, hba_file: hbaFile },
  });
}

/** Copies the cluster of a running server, as its documentation describes for backups, and makes the copy a standby. */
async function copyAsStandby(
  from: string,
  to: string,
  primary: Awaited<ReturnType<typeof startServer>>,
): Promise<void> {
  const db = createDb(primary.poolConfig, { log });
  const client = await db.pool.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  await cp(from, to, { recursive: true, filter: (path) => !/postmaster\.pid$|\.s\.PGSQL/.test(path) });
  const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  client.release();
  await db.close();
  const { uid, gid } = await stat(join(from, "PG_VERSION"));
  const connection = `host=${PRIMARY} port=5432 user=workspace application_name=standby`;
  const files = {
    backup_label: rows[0]?.labelfile ?? "",
    "standby.signal": "",
    "postgresql.auto.conf": `primary_conninfo = '${connection}'\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(to, name), text);
  await chownTree(to, uid, gid);
}

async function chownTree(path: string, uid: number, gid: number): Promise<void> {
  await chown(path, uid, gid);
  for (const entry of await readdir(path, { recursive: true })) await chown(join(path, entry), uid, gid);
}

/** Ends a server and all its processes at once. It cannot be started again, like one whose machine is gone. */
async function destroy(dir: string): Promise<void> {
  const postmaster = Number((await readFile(join(dir, "postmaster.pid"), "utf8")).split("\n")[0]);
  const children = (await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8")).trim().split(" ");
  await rename(dir, `${dir}-gone`);
  for (const pid of [postmaster, ...children.map(Number)]) process.kill(pid, "SIGKILL");
}

/** Kills a primary with its standby in step, promotes the standby, and compares what it has with what was acknowledged. */
async function failOver(synchronous: boolean): Promise<{ acknowledged: number; lost: number; awayMs: number }> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-replication-"));
  const hbaFile = join(folder, "pg_hba.conf");
  await writeFile(
    hbaFile,
    "local all all trust\nhost all all 127.0.0.0/8 trust\nhost replication all 127.0.0.0/8 trust\n",
  );
  // For the user that PostgreSQL runs as.
  await chmod(folder, 0o755);
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  const primary = await startServer(one, PRIMARY, hbaFile);
  await mkdir(two);
  await copyAsStandby(join(one, "postgres"), join(two, "postgres"), primary);
  const standby = await startServer(two, STANDBY, hbaFile);
  const admin = createDb(primary.poolConfig, { log });
  await admin.pool.query("CREATE TABLE acknowledged (id int PRIMARY KEY)");
  if (synchronous) {
    await admin.pool.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await admin.pool.query("SELECT pg_reload_conf()");
  }
  for (let state = ""; state !== "streaming"; await sleep(50))
    state = (await admin.pool.query<{ state: string }>("SELECT state FROM pg_stat_replication")).rows[0]?.state ?? "";
  const { pool, close } = createDb(externalDatabase(`postgresql://workspace@${PRIMARY},${STANDBY}/workspace`), { log });
  const acknowledged: number[] = [];
  let [next, isOver, lastMs, awayMs] = [0, false, performance.now(), 0];
  const write = async (): Promise<void> => {
    while (!isOver) {
      next += 1;
      const id = next;
      try {
        await pool.query("INSERT INTO acknowledged VALUES ($1)", [id]);
        acknowledged.push(id);
        awayMs = Math.max(awayMs, performance.now() - lastMs);
        lastMs = performance.now();
      } catch {
        await sleep(20);
      }
    }
  };
  const writing = Promise.all(Array.from({ length: WRITERS }, write));
  await sleep(2_000);
  await destroy(join(one, "postgres"));
  const promoter = createDb(standby.poolConfig, { log });
  await promoter.pool.query("SELECT pg_promote()");
  await sleep(3_000);
  isOver = true;
  await writing;
  const { rows } = await promoter.pool.query<{ lost: number }>(
    "SELECT count(*) AS lost FROM unnest($1::int[]) AS sent (id) WHERE id NOT IN (SELECT id FROM acknowledged)",
    [acknowledged],
  );
  await Promise.all([close(), promoter.close(), admin.close()]);
  await standby.close();
  await primary.close();
  await rm(folder, { recursive: true, force: true });
  return { acknowledged: acknowledged.length, lost: rows[0]?.lost ?? 0, awayMs };
}

for (const synchronous of [false, true]) {
  const results: Awaited<ReturnType<typeof failOver>>[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await failOver(synchronous));
  const sum = (of: (result: (typeof results)[number]) => number): number =>
    results.reduce((total, each) => total + of(each), 0);
  const away = results.map(({ awayMs }) => awayMs);
  console.log(
    `${synchronous ? "synchronous" : "asynchronous"} replication, ${rounds} primaries killed: ${sum(({ acknowledged }) => acknowledged)} ` +
      `acknowledged writes, lost ${sum(({ lost }) => lost)}; none succeeded for ${percentile(away, 0.5)} ms (median), ${percentile(away, 1)} ms at worst`,
  );
}
