import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const WORDS = (
  "the of and project meeting notes about plan review design decision team customer release backend database vault mirror " +
  "search index write read file folder remember idea question answer because however maybe tomorrow morning evening travel " +
  "budget invoice garden kitchen recipe running book chapter music language learning model agent memory session token"
).split(" ");

/** A generator of reproducible numbers for a seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A typical note: frontmatter, a heading, a few links, and half a kilobyte to four of text. */
export function toNote(index: number, random: (below: number) => number): string {
  const lines = [
    "---",
    `title: Note ${index} about ${WORDS[random(WORDS.length)] ?? ""}`,
    `tags: [${WORDS[random(WORDS.length)] ?? ""}, ${WORDS[random(WORDS.length)] ?? ""}]`,
    `date: 2026-0${1 + random(9)}-1${random(9)}`,
    "---",
    "",
    `# Note ${index}`,
    "",
    `See [[note-${random(20_000)}]] and [[note-${random(20_000)}|another]].`,
    "",
  ];
  const length = 500 + random(3_500);
  for (let size = 0; size < length;) {
    // Some words of its own, so that texts differ in more than word order.
    const sentence = Array.from({ length: 8 + random(10) }, () =>
      random(12) === 0 ? random(2 ** 31).toString(36) : (WORDS[random(WORDS.length)] ?? ""),
    ).join(" ");
    lines.push(`${sentence}.`);
    size += sentence.length;
  }
  return lines.join("\n");
}

export function notePath(index: number): string {
  return `area-${index % 20}/folder-${index % 400}/note-${index}.md`;
}

/** Writes the notes numbered `from` to `to`. */
export async function writeNotes(root: string, from: number, to: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  for (let start = from; start < to; start += 200) {
    const batch = Array.from({ length: Math.min(200, to - start) }, (_, offset) => start + offset);
    await Promise.all(
      [...new Set(batch.map((index) => dirname(notePath(index))))].map((folder) =>
        mkdir(join(root, folder), { recursive: true }),
      ),
    );
    await Promise.all(batch.map((index) => writeFile(join(root, notePath(index)), toNote(index, random))));
  }
}
