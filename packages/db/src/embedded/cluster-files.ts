import { chown, mkdtemp, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../run-program.ts";
import { syncPath } from "../sync-path.ts";
import { errorCode } from "../system-error.ts";
import { CLUSTER_USER, type Cluster, ownPathOfCluster } from "./cluster.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const UNFINISHED_SUFFIX = ".init-";

/**
 * The locales that define which characters are letters, the best one first. Without such a locale, pg_trgm extracts trigrams from
 * ASCII only, and searches for other text find nothing. Linux has the first, macOS the second.
 */
const CTYPE_LOCALES = ["C.UTF-8", "en_US.UTF-8"] as const;

/**
 * Ensures that the cluster's files exist, and creates an empty cluster if there is none. A new cluster is created under another
 * name and renamed once it is complete and on disk, so a start that is killed at any point leaves nothing that could break the
 * next one.
 *
 * Idempotent; the caller holds the instance lock, so no other process works in the folder. Without `isDurable`, a new cluster may
 * not survive a power failure.
 * Throws {@link EmbeddedPostgresError} if initdb fails, or if the folder contains anything but a cluster of this version, which is
 * never touched.
 */
export async function ensureClusterFiles(cluster: Cluster, { isDurable }: { isDurable: boolean }): Promise<void> {
  await removeUnfinishedClusters(cluster);
  if (await hasCluster(cluster)) return;
  const startedAt = performance.now();
  await createCluster(cluster, isDurable);
  cluster.log.info(
    { dir: cluster.dir, durationMs: Math.round(performance.now() - startedAt) },
    "created a new database cluster",
  );
}

async function removeUnfinishedClusters({ dir, log }: Cluster): Promise<void> {
  const parent = dirname(dir);
  const prefix = dir.slice(parent.length + 1) + UNFINISHED_SUFFIX;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    log.warn({ dir: join(parent, name) }, "removing a database cluster whose creation was interrupted");
    // Retried, because an initdb that outlived its service may still be writing.
    await rm(join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** False if the folder is missing or empty. */
async function hasCluster({ dir, majorVersion }: Cluster): Promise<boolean> {
  const names = await readdir(dir).catch(undefinedWhenMissing);
  if (names === undefined) return false;
  if (names.length === 0) {
    await rmdir(dir);
    return false;
  }
  const version = await readClusterVersion(dir);
  if (version === majorVersion) return true;
  throw new EmbeddedPostgresError(
    version === undefined
      ? `${dir} is neither empty nor a PostgreSQL cluster. Move it away, or restore a complete backup there.`
      : Number(version) < Number(majorVersion)
        ? `${dir} was created by PostgreSQL ${version}, but this service includes ${majorVersion}. Bring it over: npx workspace upgrade-database`
        : `${dir} was created by PostgreSQL ${version}, which is newer than the ${majorVersion} of this service. Start the newer version of the service.`,
  );
}

/** The major version of PostgreSQL that created the cluster in a folder; undefined if there is no cluster. */
export async function readClusterVersion(dir: string): Promise<string | undefined> {
  const version = await readFile(join(dir, "PG_VERSION"), "utf8").catch(undefinedWhenMissing);
  return version?.trim();
}

function undefinedWhenMissing(error: unknown): undefined {
  if (errorCode(error) !== "ENOENT") throw error;
}

async function createCluster(cluster: Cluster, isDurable: boolean): Promise<void> {
  const temporary = await mkdtemp(cluster.dir + UNFINISHED_SUFFIX);
  try {
    if (cluster.owner !== undefined) await chown(temporary, cluster.owner.uid, cluster.owner.gid);
    await runInitdb(cluster, temporary, isDurable ? [] : ["--no-sync"]);
    // initdb has synced everything in the folder; only the folder's name is left.
    await rename(temporary, cluster.dir);
    await syncPath(dirname(cluster.dir));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
}

async function runInitdb({ binDir, owner, log }: Cluster, dir: string, flags: readonly string[]): Promise<void> {
  const complaints: string[] = [];
  for (const ctype of CTYPE_LOCALES) {
    const args = [`--pgdata=${ownPathOfCluster(dir)}`, ...INITDB_FLAGS, ...flags, `--lc-ctype=${ctype}`];
    const { exitCode, stdout, stderr } = await runProgram(join(binDir, "initdb"), args, { cwd: dir, owner });
    if (exitCode === 0) return;
    complaints.push(stderr.trim() || stdout.trim() || `initdb ended with code ${exitCode}`);
    // initdb checks the locales before it writes anything, and empties the folder after any other failure.
    if (!stderr.includes("invalid locale name")) break;
    log.warn({ locale: ctype }, "the system lacks a locale, trying the next");
  }
  throw new EmbeddedPostgresError(`A new database cluster could not be created: ${complaints.join("; ")}`);
}

const INITDB_FLAGS = [
  `--username=${CLUSTER_USER}`,
  // The only access is through the socket, which is in a folder that no other user can enter.
  "--auth-local=trust",
  "--auth-host=reject",
  "--encoding=UTF8",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--locale=C",
] as const;
