import { readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { restoreNote } from "./restore-note.ts";
import { restoreTask } from "./restore-task.ts";
import {
  createTestWorkspace,
  makeBackup,
  type TestWorkspace,
  USER_ID,
  withRepository,
} from "./test-kit/test-workspace.ts";

const NOW = new Date("2026-11-26T09:15:00Z");

function note({ backups, vault }: TestWorkspace, backupId: string, path: string, options = {}) {
  return withRepository(backups, {}, (repository) =>
    restoreNote({ repository, backupId, vaultRoot: vault, path, target: null, replaces: false, now: NOW, ...options }),
  );
}

function task({ backups, database }: TestWorkspace, backupId: string, taskId: string, replaces = false) {
  return withRepository(backups, {}, (repository) =>
    restoreTask({ repository, backupId, config: database.poolConfig, taskId, replaces }),
  );
}

describe("one note of a backup", () => {
  it("is put back where it was, or elsewhere", async () => {
    const workspace = await createTestWorkspace();
    await workspace.writeNote("a/plan.md", "# Plan");
    const { id } = await makeBackup(workspace);
    expect(await note(workspace, id, "a/plan.md")).toMatchObject({ isChanged: false });
    await unlink(join(workspace.vault, "a/plan.md"));
    expect(await note(workspace, id, "a/plan.md")).toEqual({ path: "a/plan.md", isChanged: true, movedTo: null });
    expect(await note(workspace, id, "a/plan.md", { target: "b/other.md" })).toMatchObject({ path: "b/other.md" });
    expect(await readFile(join(workspace.vault, "b/other.md"), "utf8")).toBe("# Plan");
    expect(await readdir(join(workspace.vault, "b"))).toEqual(["other.md"]);
  });

  it("never overwrites another text", async () => {
    const workspace = await createTestWorkspace();
    await workspace.writeNote("plan.md", "# Plan");
    const { id } = await makeBackup(workspace);
    await writeFile(join(workspace.vault, "plan.md"), "newer");
    await expect(note(workspace, id, "plan.md")).rejects.toThrow("exists with other content");
    const { movedTo } = await note(workspace, id, "plan.md", { replaces: true });
    expect(movedTo).toBe("plan (replaced 2026-11-26T091500).md");
    expect(await readFile(join(workspace.vault, movedTo ?? ""), "utf8")).toBe("newer");
    expect(await readFile(join(workspace.vault, "plan.md"), "utf8")).toBe("# Plan");
  });

  it("is not found under another name, and cannot leave the vault", async () => {
    const workspace = await createTestWorkspace();
    await workspace.writeNote("a/plan.md", "# Plan");
    const { id } = await makeBackup(workspace);
    await expect(note(workspace, id, "plan.md")).rejects.toThrow("Similar: a/plan.md");
    await expect(note(workspace, id, "a/plan.md", { target: "../out.md" })).rejects.toThrow("forbidden path");
  });
});

describe("one task of a backup", () => {
  async function withTask() {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(300);
    const { pool } = workspace.database.db;
    const { rows } = await pool.query<{ id: string }>(
      "SELECT id FROM tasks WHERE title IN ('Task 7', 'Task 8') ORDER BY title",
    );
    const [taskId, blockerId] = rows.map(({ id }) => id) as [string, string];
    await pool.query("INSERT INTO task_blocks (task_id, blocker_id) VALUES ($1, $2)", [taskId, blockerId]);
    await pool.query(
      "INSERT INTO task_comments (id, task_id, text, author, mentions, created_at) VALUES (gen_random_uuid(), $1, 'a comment', $2, '[]', now())",
      [taskId, JSON.stringify({ kind: "user", userId: USER_ID })],
    );
    const { id } = await makeBackup(workspace);
    const read = async () => (await pool.query("SELECT t::text FROM tasks t WHERE id = $1", [taskId])).rows;
    return { workspace, pool, taskId, blockerId, backupId: id, read };
  }

  it("comes back with what belongs to it", async () => {
    const { workspace, pool, taskId, backupId, read } = await withTask();
    const before = await read();
    await pool.query("DELETE FROM tasks WHERE id = $1", [taskId]);
    expect(await task(workspace, backupId, taskId)).toEqual({ title: "Task 7", belongings: 2 });
    expect(await read()).toEqual(before);
  });

  it("comes back without what no longer exists", async () => {
    const { workspace, pool, taskId, blockerId, backupId } = await withTask();
    await pool.query("DELETE FROM tasks WHERE id IN ($1, $2)", [taskId, blockerId]);
    expect(await task(workspace, backupId, taskId)).toEqual({ title: "Task 7", belongings: 1 });
  });

  it("is not set back without being asked to", async () => {
    const { workspace, pool, taskId, backupId, read } = await withTask();
    const before = await read();
    await pool.query("UPDATE tasks SET title = 'newer' WHERE id = $1", [taskId]);
    await expect(task(workspace, backupId, taskId)).rejects.toThrow("exists");
    await task(workspace, backupId, taskId, true);
    expect(await read()).toEqual(before);
  });

  it("is refused if the backup has no such task, and nothing changes", async () => {
    const { workspace, backupId } = await withTask();
    await expect(task(workspace, backupId, USER_ID)).rejects.toThrow("has no task");
    await expect(task(workspace, backupId, "x' OR true")).rejects.toThrow("is not the id of a task");
  });
});
