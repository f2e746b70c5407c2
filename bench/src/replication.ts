/**
 * A PostgreSQL server with a streaming standby is killed under load, and the standby is promoted: `npm run bench -- replication [rounds=5]`.
 * Counts acknowledged writes that are not on the promoted server, with asynchronous and with synchronous replication, and how long none
 * succeeded. Linux only.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createDb, externalDatabase } from "@workspace/db";
import { startReplicatedDatabase } from "@workspace/db/testing";
import { percentile } from "./model-service.ts";

const rounds = Number(process.argv[2] ?? 5);
const WRITERS = 8;
const log = { info() {}, warn() {}, error() {} };

/** Kills a primary with its standby in step, promotes the standby, and compares what it has with what was acknowledged. */
async function failOver(isSynchronous: boolean): Promise<{ acknowledged: number; lost: number; awayMs: number }> {
  const database = await startReplicatedDatabase({ isSynchronous });
  await database.primary.pool.query("CREATE TABLE acknowledged (id int PRIMARY KEY)");
  const { pool, close } = createDb(externalDatabase(database.url), { log });
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
  await database.losePrimary();
  await database.promote();
  await sleep(3_000);
  isOver = true;
  await writing;
  const { rows } = await database.standby.pool.query<{ lost: number }>(
    "SELECT count(*) AS lost FROM unnest($1::int[]) AS sent (id) WHERE id NOT IN (SELECT id FROM acknowledged)",
    [acknowledged],
  );
  await close();
  await database.close();
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
