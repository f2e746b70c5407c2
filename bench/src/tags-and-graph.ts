/**
 * Renames a tag that all of 20,000 notes have, half of them in the frontmatter and half in the text, and undoes it; then reads the graph
 * around a note that all others link to, and around one in a chain: `npm run bench -- tags-and-graph`.
 */
import { hashesOf, timed, withBenchVault } from "./bench-vault.ts";

const NOTES = 20_000;

function textOf(index: number): string {
  return (
    `${index % 2 === 0 ? "---\ntags: [home/garden, other]\n---\n" : ""}# Note ${index}\n\n${"Some words about nothing in particular. ".repeat(20)}\n` +
    `[[hub]] [[n${(index + 1) % NOTES}]] ${index % 2 === 0 ? "" : "#home/garden and #other"}\n`
  );
}

const notes = Array.from({ length: NOTES }, (_, index) => ({
  path: index === 0 ? "hub.md" : `${index % 50}/n${index}.md`,
  text: textOf(index),
}));

await withBenchVault(notes, async ({ db, root, userId, author, services }) => {
  const before = await hashesOf(root);
  const { result: renamed } = await timed("rename of a tag", () =>
    services.linkUpdates.renameTag({ from: "home", to: "house" }, author),
  );
  console.log(`changed ${renamed.links} tags in ${renamed.notes} notes`);
  const { rows } = await db.pool.query(
    "SELECT count(*)::int AS left FROM documents WHERE tag_paths(tags || text_tags) && '{home}'",
  );
  console.log(`${rows[0]?.left} notes still have it`);
  const { result: undone } = await timed("undo", () => services.linkUpdates.undo(renamed.id, author));
  const after = await hashesOf(root);
  const differing = [...before].filter(([path, hash]) => after.get(path) !== hash).length;
  console.log(
    `after the undo: ${differing} of ${before.size} files differ from before, ${undone.refused.length} refused`,
  );
  if (differing > 0) process.exitCode = 1;
  for (const path of ["hub.md", "1/n1.md"]) {
    const { document } = await services.documents.openByPath(path, userId);
    for (const depth of [1, 2, 3] as const) {
      const { result: graph } = await timed(`graph around ${path}, ${depth} links`, () =>
        services.documentGraph.around({ id: document.id, depth, limit: 150 }),
      );
      console.log(`  ${graph.nodes.length} notes`);
    }
  }
});
