import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ForbiddenError, InvalidInputError, NotFoundError, TooLargeError } from "../../platform/errors.ts";
import { createTranscriptSource, type TranscriptSource } from "./transcript-source.ts";

let folder: string;
let root: string;
let source: TranscriptSource;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-transcripts-"));
  root = join(folder, "projects");
  await mkdir(join(root, "repo"), { recursive: true });
  await mkdir(join(folder, "projects-of-others"));
  await writeFile(join(root, "repo/session.jsonl"), "inside");
  await writeFile(join(folder, "outside.jsonl"), "outside");
  await writeFile(join(folder, "projects-of-others/session.jsonl"), "outside");
  await symlink(join(folder, "outside.jsonl"), join(root, "link-out.jsonl"));
  await symlink(folder, join(root, "folder-out"));
  await symlink(join(root, "repo/session.jsonl"), join(folder, "link-in.jsonl"));
  await symlink(join(root, "loop"), join(root, "loop"));
  source = createTranscriptSource({ roots: [root, join(folder, "missing-root")], maxBytes: 1000 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (path: string) => source.read({ transcriptPath: path.replace("$", root) });

describe("a transcript's path", () => {
  test.each(["$/repo/session.jsonl", "$/repo/../repo/./session.jsonl", "$/folder-out/projects/repo/session.jsonl"])(
    "below a root is read: %s",
    async (path) => {
      expect(await read(path)).toBe("inside");
    },
  );

  test("of a link outside that points below a root is read", async () => {
    expect(await source.read({ transcriptPath: join(folder, "link-in.jsonl") })).toBe("inside");
  });

  test.each([
    ["above the root", "$/../outside.jsonl"],
    ["above the root by a detour", "$/repo/../../outside.jsonl"],
    ["of a link to a file outside", "$/link-out.jsonl"],
    ["through a link to a folder outside", "$/folder-out/outside.jsonl"],
    ["in a folder whose name merely starts like the root", "$-of-others/session.jsonl"],
    ["that is relative", "repo/session.jsonl"],
    ["of the root itself", "$"],
    ["of a system file", "/etc/passwd"],
    ["outside that does not exist", "$/../missing.jsonl"],
    ["through the process's own files", "/proc/self/environ"],
    ["that is empty", ""],
  ])("%s is rejected", async (_what, path) => {
    await expect(read(path)).rejects.toThrow(ForbiddenError);
  });

  test.each(["$/missing.jsonl", "$/repo/session.jsonl/x", "$/loop"])(
    "below a root that does not exist is not found: %s",
    async (path) => {
      await expect(read(path)).rejects.toThrow(NotFoundError);
    },
  );

  test("of a folder, a FIFO or an impossible name is invalid, and does not hang", async () => {
    execFileSync("mkfifo", [join(root, "fifo")]);
    for (const path of ["$/repo", "$/fifo", `$/${"n".repeat(300)}`]) {
      await expect(read(path)).rejects.toThrow(InvalidInputError);
    }
  });

  test("of a file above the limit is too large", async () => {
    await writeFile(join(root, "large.jsonl"), "x".repeat(1001));
    await expect(read("$/large.jsonl")).rejects.toThrow(TooLargeError);
  });

  test("never leads outside, even if a folder becomes a link in the meantime", async () => {
    await mkdir(join(root, "swapped"));
    await writeFile(join(root, "swapped/outside.jsonl"), "inside");
    await symlink(folder, join(root, "link"));
    const swapping = new AbortController();
    const swapper = (async () => {
      while (!swapping.signal.aborted) {
        await rename(join(root, "swapped"), join(root, "aside"));
        await rename(join(root, "link"), join(root, "swapped"));
        await rename(join(root, "swapped"), join(root, "link"));
        await rename(join(root, "aside"), join(root, "swapped"));
      }
    })();
    const answers = new Set<string>();
    for (let round = 0; round < 300; round += 1) {
      answers.add(
        await read("$/swapped/outside.jsonl").catch((error: unknown) => (error instanceof Error ? error.name : "?")),
      );
    }
    swapping.abort();
    await swapper;
    expect(answers).not.toContain("outside");
  });
});

test("a transcript needs no path, but one of the two is required", async () => {
  expect(await source.read({ transcript: "text" })).toBe("text");
  await expect(source.read({})).rejects.toThrow(InvalidInputError);
});
