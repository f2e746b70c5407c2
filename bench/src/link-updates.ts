/**
 * Renames a folder with 2,000 notes, to which 10,000 links refer, in a vault of 20,000: `npm run bench -- link-updates`. Prints how long
 * it takes to change the links and to undo that, how many links are dead afterwards, and how many files differ from before after the
 * undo. Then renames it on the disk, as another program would.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createDocumentServices,
  createEventBus,
  createLargeReads,
  createProcessRegistry,
  silentLogger,
  systemClock,
  uuidV7,
} from "@workspace/core";
import { withBenchDatabase } from "./bench-database.ts";

const NOTES = 20_000;
const IN_FOLDER = 2_000;
const LINKING = 1_000;
const MAX_RENAME_MS = 5_000;

/** Half of the links are outside of the folder, half in it; all of them are written so that they have to be changed. */
function textOf(path: string, index: number): string {
  const target = (offset: number): string => `n${(index * 7 + offset * 131) % IN_FOLDER}`;
  const filler = `# ${path}\n\n${"Some words about nothing in particular. ".repeat(20)}\n`;
  if (path.startsWith("projects/alpha/")) {
    const links = [`[[projects/alpha/${target(1)}#Heading|shown]]`, `[x](/projects/alpha/${target(2)}.md "title")`];
    return `${filler}${links.join(" and ")}\n${index % 2 === 0 ? `![[projects/alpha/${target(3)}#^block]]\n` : ""}`;
  }
  if (!path.startsWith("linking/")) return filler;
  const links = [1, 2, 3].map((offset) => `[[projects/alpha/${target(offset)}#^id-${offset}]]`);
  return `${filler}${links.join(", ")}, [a](../projects/alpha/${target(4)}.md#part)\n\n[b]: <../projects/alpha/${target(5)}.md>\n`;
}

const paths = Array.from({ length: NOTES }, (_, index) => {
  if (index < IN_FOLDER) return `projects/alpha/n${index}.md`;
  return index < IN_FOLDER + LINKING ? `linking/l${index}.md` : `other/${index % 50}/o${index}.md`;
});

await withBenchDatabase(async (db, dataDir) => {
  const root = join(dataDir, "vault");
  for (const folder of ["projects/alpha", "linking", ...Array.from({ length: 50 }, (_, index) => `other/${index}`)]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const [index, path] of paths.entries()) await writeFile(join(root, path), textOf(path, index));
  const userId = uuidV7();
  await db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Bench', 'b@x.y', now())", [userId]);
  const author = { kind: "person", name: "Bench", userId } as const;
  const shared = { db, clock: systemClock, ids: uuidV7, logger: silentLogger };
  const processes = createProcessRegistry({ ...shared, leaseMs: 30_000 });
  await processes.start();
  const services = createDocumentServices({
    ...shared,
    processes,
    events: createEventBus(console.error),
    vaultRoot: root,
    dataDir,
    maxContentBytes: 32 * 1024 * 1024,
    largeReads: createLargeReads(() => true),
  });
  await services.vaultMirror.start();
  while (services.vaultMirror.status.files !== NOTES) await sleep(200);
  await services.vaultMirror.housekeep();
  while (services.vaultMirror.status.unindexed > 0) await sleep(200);
  const before = await hashesOf(root);

  const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const startMs = performance.now();
    const cpu = process.cpuUsage();
    let longestStallMs = 0;
    let tickMs = startMs;
    const timer = setInterval(() => {
      longestStallMs = Math.max(longestStallMs, performance.now() - tickMs - 1);
      tickMs = performance.now();
    }, 1);
    const result = await work();
    clearInterval(timer);
    const tookMs = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    const cpuS = ((user + system) / 1e6).toFixed(2);
    console.log(
      `${what}: ${(tookMs / 1_000).toFixed(2)} s (${cpuS} s of CPU), longest stall ${longestStallMs.toFixed(0)} ms`,
    );
    if (tookMs > MAX_RENAME_MS) process.exitCode = 1;
    return result;
  };
  const countDead = async (): Promise<number> => {
    const { rows } = await db.pool.query<{ id: string }>(
      "SELECT DISTINCT document_id AS id FROM document_links JOIN documents ON id = document_id WHERE deleted_at IS NULL",
    );
    let dead = 0;
    for (const { id } of rows) {
      const { links } = await services.documentSearch.links(id);
      dead += links.filter(({ document }) => document === null).length;
    }
    return dead;
  };
  const report = async (what: string): Promise<void> => {
    const differing = [...before].filter(([path, hash]) => after.get(path) !== hash).length;
    console.log(`${what}: ${differing} of ${before.size} files differ from before, ${await countDead()} dead links`);
    if (differing > 0) process.exitCode = 1;
  };

  const { linkUpdate } = await timed("rename", () => services.vault.rename("projects/alpha", "projects/beta", author));
  const dead = await countDead();
  console.log(`changed ${linkUpdate?.links} links in ${linkUpdate?.notes} notes; ${dead} dead links`);
  if (dead > 0 || linkUpdate?.links !== 10_000) process.exitCode = 1;
  const undone = await timed("undo", () => services.linkUpdates.undo(linkUpdate?.id ?? "", author));
  if (undone.refused.length > 0) process.exitCode = 1;
  let after = await hashesOf(root);
  await report("after the undo");

  await rename(join(root, "projects/alpha"), join(root, "projects/gamma"));
  const startMs = performance.now();
  const outside = async () => (await services.linkUpdates.list()).find(({ origin }) => origin === "outside");
  while ((await outside())?.isDone !== true) await sleep(50);
  const update = await outside();
  const tookMs = performance.now() - startMs;
  console.log(
    `renamed on the disk: ${update?.links} links in ${update?.notes} notes, ${(tookMs / 1_000).toFixed(2)} s`,
  );
  console.log(`${await countDead()} dead links`);
  await timed("undo", () => services.linkUpdates.undo(update?.id ?? "", author));
  after = await hashesOf(root);
  await report("after the undo");

  await services.vaultMirror.close();
  await processes.close();
});

async function hashesOf(root: string): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes("/.workspace")) continue;
    hashes.set(
      path.slice(root.length + 1),
      createHash("sha256")
        .update(await readFile(path))
        .digest("hex"),
    );
  }
  return hashes;
}
