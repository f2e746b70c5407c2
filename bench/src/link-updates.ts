/**
 * Renames a folder with 2,000 notes, to which 10,000 links refer, in a vault of 20,000: `npm run bench -- link-updates`. Prints how long
 * it takes to change the links and to undo that, how many links are dead afterwards, and how many files differ from before after the
 * undo. Then renames it on the disk, as another program would.
 */
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hashesOf, timed, withBenchVault } from "./bench-vault.ts";

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

const notes = Array.from({ length: NOTES }, (_, index) => {
  const path = pathOf(index);
  return { path, text: textOf(path, index) };
});

function pathOf(index: number): string {
  if (index < IN_FOLDER) return `projects/alpha/n${index}.md`;
  return index < IN_FOLDER + LINKING ? `linking/l${index}.md` : `other/${index % 50}/o${index}.md`;
}

await withBenchVault(notes, async ({ db, root, author, services }) => {
  const before = await hashesOf(root);

  const inTime = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const { result, tookMs } = await timed(what, work);
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

  const { linkUpdate } = await inTime("rename", () => services.vault.rename("projects/alpha", "projects/beta", author));
  const dead = await countDead();
  console.log(`changed ${linkUpdate?.links} links in ${linkUpdate?.notes} notes; ${dead} dead links`);
  if (dead > 0 || linkUpdate?.links !== 10_000) process.exitCode = 1;
  const undone = await inTime("undo", () => services.linkUpdates.undo(linkUpdate?.id ?? "", author));
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
  await inTime("undo", () => services.linkUpdates.undo(update?.id ?? "", author));
  after = await hashesOf(root);
  await report("after the undo");
});
