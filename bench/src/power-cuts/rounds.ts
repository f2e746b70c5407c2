import { createDb, type PoolConfig } from "@workspace/db";
import type { Disk } from "./disk.ts";
import type { Orders } from "./victim.ts";

export const SILENT_LOG = { info() {}, warn() {}, error() {} };

/** Two disks whose power is cut together: of the data folder, and of backups or of the vault. */
export interface Disks {
  readonly data: Disk;
  readonly other: Disk;
}

/**
 * Lets a victim work, and cuts the power after some milliseconds; returns the lines that it had printed. With null it works to its
 * end, and nothing is cut.
 */
export type RunVictim = (orders: Orders, cutAfterMs: number | null) => Promise<string[]>;

/** One kind of work of which the power is cut. */
export interface Rounds {
  prepare(round: number): Promise<void>;
  /** Works until the power is cut; returns what had been acknowledged by then. */
  work(run: RunVictim): Promise<string[]>;
  /** What is not as it must be. */
  check(acknowledged: readonly string[]): Promise<string[]>;
  summary(): string;
}

/** The number of rows of each table and a digest of them, but for what backups themselves note. */
export async function digestDatabase(config: PoolConfig): Promise<string> {
  const { pool, close } = createDb(config, { log: SILENT_LOG });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
    );
    const digests: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ digest: string }>(
        `SELECT count(*) || ' ' || coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0) AS digest
        FROM "${name}" t ${name === "settings" ? "WHERE key !~ '^backup[.](last|place)[.]'" : ""}`,
      );
      digests.push(`${name} ${rows[0]?.digest}`);
    }
    return digests.join("\n");
  } finally {
    await close();
  }
}
