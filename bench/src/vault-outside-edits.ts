/**
 * Another program edits files that the service is writing: `npm run bench -- vault-outside-edits <seconds>`. Prints how many
 * writes succeeded and were refused, and how many of the versions that the service replaced were lost.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
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

const seconds = Number(process.argv[2] ?? 20);
const FILES = 8;
const MAX_PAUSE_MS = 20;

await withBenchDatabase(async (db, dataDir) => {
  const root = join(dataDir, "vault");
  await mkdir(root);
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
    maxContentBytes: 1024 * 1024,
    largeReads: createLargeReads(() => true),
  });
  await services.vaultMirror.start();
  const counts = { done: 0, refused: 0, outside: 0, replaced: 0, lost: 0 };
  const end = performance.now() + seconds * 1_000;
  const pause = (): Promise<void> => sleep(Math.random() * MAX_PAUSE_MS);
  const replaced: { path: string; text: string }[] = [];

  const write = async (path: string): Promise<void> => {
    while (performance.now() < end) {
      const { contentHash } = await services.vault.read(path);
      await pause();
      await services.vault.write({ path, content: `service ${randomUUID()}`, expectedHash: contentHash }, author).then(
        () => (counts.done += 1),
        () => (counts.refused += 1),
      );
    }
  };
  const edit = async (path: string): Promise<void> => {
    while (performance.now() < end) {
      const text = `outside ${randomUUID()}`;
      await writeFile(join(root, `.${path}`), text);
      await rename(join(root, `.${path}`), join(root, path));
      counts.outside += 1;
      await pause();
      if ((await readFile(join(root, path), "utf8")) !== text) replaced.push({ path, text });
    }
  };

  const paths = Array.from({ length: FILES }, (_, index) => `note-${index}.md`);
  for (const path of paths) await services.vault.write({ path, content: "start" }, author);
  await Promise.all(paths.flatMap((path) => [write(path), edit(path)]));

  for (const path of paths) {
    const { document } = await services.documents.openByPath(path, userId);
    const versions = await services.documentVersions.list(document.id);
    const kept = await Promise.all(
      versions.map(async ({ id }) => (await services.documentVersions.open(document.id, id)).content),
    );
    const texts = replaced.filter((one) => one.path === path).map(({ text }) => text);
    counts.replaced += texts.length;
    counts.lost += texts.filter((text) => !kept.includes(text)).length;
  }
  console.log(
    `${counts.outside} edits by another program beside ${counts.done} writes of the service and ${counts.refused} refused: ` +
      `${counts.replaced} of the edits were replaced by the service, ${counts.lost} of them lost`,
  );
  await services.vaultMirror.close();
  await processes.close();
});
