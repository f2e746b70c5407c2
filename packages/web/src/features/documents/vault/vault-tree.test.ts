import { describe, expect, it } from "vitest";
import { sampleDocument } from "../../../test-kit/sample-document.ts";
import { applyChanges, type VaultContent } from "./vault-changes.ts";
import { buildTree, flattenTree, isNameTaken } from "./vault-tree.ts";

const content: VaultContent = {
  documents: ["b.md", "work/plan.md", "work/deep/x.md", "A.md", "note 10.md", "note 2.md"].map((path) =>
    sampleDocument({ path }),
  ),
  folders: ["empty", "work", "work/deep"],
};

function shown(changed = content, open: string[] = []): string[] {
  return flattenTree(buildTree(changed), new Set(open)).map(({ path }) => path);
}

describe("the tree", () => {
  it("sorts folders first, then files in natural order", () => {
    expect(shown()).toEqual(["empty", "work", "A.md", "b.md", "note 2.md", "note 10.md"]);
  });

  it("shows the contents of open folders, with levels and positions", () => {
    const rows = flattenTree(buildTree(content), new Set(["work", "work/deep"]));
    expect(rows.slice(1, 5).map(({ path, level, position, siblings }) => [path, level, position, siblings])).toEqual([
      ["work", 1, 2, 6],
      ["work/deep", 2, 1, 2],
      ["work/deep/x.md", 3, 1, 1],
      ["work/plan.md", 2, 2, 2],
    ]);
  });

  it("derives a folder from the files in it", () => {
    expect(shown({ ...content, folders: [] })).toContain("work");
  });

  it("treats names as taken regardless of case", () => {
    const tree = buildTree(content);
    expect(isNameTaken(tree, "work", "Plan.MD")).toBe(true);
    expect(isNameTaken(tree, "", "plan.md")).toBe(false);
  });
});

describe("applyChanges", () => {
  it("moves a folder with its contents", () => {
    const moved = applyChanges(content, [{ kind: "move", from: "work", to: "empty/job" }]);
    expect(shown(moved, ["empty", "empty/job"])).toEqual(
      expect.arrayContaining(["empty/job", "empty/job/deep", "empty/job/plan.md"]),
    );
    expect(shown(moved)).not.toContain("work");
  });

  it("removes a folder with its contents, and nothing else", () => {
    const rest = applyChanges(content, [{ kind: "remove", path: "work" }]);
    expect(rest.documents).toHaveLength(4);
    expect(rest.folders).toEqual(["empty"]);
  });

  it("creates a folder once", () => {
    const made = applyChanges(content, [
      { kind: "folder", path: "new" },
      { kind: "folder", path: "empty" },
    ]);
    expect(made.folders).toEqual(["empty", "work", "work/deep", "new"]);
  });
});
