/**
 * Renames a tag that all of 20,000 notes have, half of them in the frontmatter and half in the text, and undoes it; then reads the graph
 * around a note that all others link to, and around one in a chain: `npm run bench -- tags-and-graph`.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
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

function textOf(index: number): string {
  return (
    `${index % 2 === 0 ? "---\ntags: [home/garden, other]\n---\n" : ""}# Note ${index}\n\n${"Some words about nothing in particular. ".repeat(20)}\n` +
    `[[hub]] [[n${(index + 1) % NOTES}]] ${index % 2 === 0 ? "" : "#home/garden and #other"}\n`
  );
}

const paths = Array.from({ length: NOTES }, (_, index) => (index === 0 ? "hub.md" : `${index % 50}/n${index}.md`));

await withBenchDatabase(async (db, dataDir) => {
  const root = join(dataDir, "vault");
  for (const folder of Array.from({ length: 50 }, (_, index) => `${index}`)) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const [index, path] of paths.entries()) await writeFile(join(root, path), textOf(index));
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
    return result;
  };
  const renamed = await timed("rename of a tag", () =>
    services.linkUpdates.renameTag({ from: "home", to: "house" }, author),
  );
  console.log(`changed ${renamed.links} tags in ${renamed.notes} notes`);
  const { rows } = await db.pool.query(
    "SELECT count(*)::int AS left FROM documents WHERE tag_paths(tags || text_tags) && '{home}'",
  );
  console.log(`${rows[0]?.left} notes still have it`);
  const undone = await timed("undo", () => services.linkUpdates.undo(renamed.id, author));
  const after = await hashesOf(root);
  const differing = [...before].filter(([path, hash]) => after.get(path) !== hash).length;
  console.log(
    `after the undo: ${differing} of ${before.size} files differ from before, ${undone.refused.length} refused`,
  );
  if (differing > 0) process.exitCode = 1;
  for (const path of ["hub.md", "1/n1.md"]) {
    const { document } = await services.documents.openByPath(path, userId);
    for (const depth of [1, 2, 3] as const) {
      const graph = await timed(`graph around ${path}, ${depth} links`, () =>
        services.documentGraph.around({ id: document.id, depth, limit: 150 }),
      );
      console.log(`  ${graph.nodes.length} notes`);
    }
  }
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
