import { describe, expect, it } from "vitest";
import { buildLinkIndex, linkTextOf, pathForNewNote, resolveLink, resolveWikiLink } from "./wiki-links.ts";

const files = ["Plan.md", "work/Plan.md", "work/Budget.md", "home/garden/Roses.md", "home/photo.png"];
const index = buildLinkIndex(files.map((path) => ({ path })));

describe("resolveLink", () => {
  it.each([
    ["Plan", "work/Notes.md", "work/Plan.md"],
    ["Plan", "home/Notes.md", "Plan.md"],
    ["plan", "Notes.md", "Plan.md"],
    ["Roses", "Notes.md", "home/garden/Roses.md"],
    ["garden/Roses", "Notes.md", "home/garden/Roses.md"],
    ["../Plan", "work/Notes.md", "Plan.md"],
    ["photo.png", "Plan.md", "home/photo.png"],
  ])("resolves %s in %s to %s", (target, from, expected) => {
    expect(resolveLink(target, from, index)?.path).toBe(expected);
  });

  it.each(["Nothing", "/Roses", "./Budget", "../../out"])("does not resolve %s", (target) => {
    expect(resolveLink(target, "Notes.md", index)).toBeNull();
  });
});

it("resolves a wiki link to a file with # in its path, if there is one", () => {
  const named = buildLinkIndex(["Plan.md", "C# notes.md"].map((path) => ({ path })));
  const resolve = (target: string, part: string) => resolveWikiLink({ target, part }, "", named)?.file.path;
  expect(resolve("C", "# notes")).toBe("C# notes.md");
  expect(resolve("C", "# notes#Heading")).toBe("C# notes.md");
  expect(resolve("Plan", "#Heading")).toBe("Plan.md");
  expect(resolve("C", "#Heading")).toBeUndefined();
});

it("resolves a link to the former path of a file that is still to be moved, unless another file is there", () => {
  const [moved, other] = [{ path: "work/Journey.md" }, { path: "Other.md" }];
  const former = ["Plan.md", "Other.md"].map((path) => ({ path, file: moved }));
  const renamed = buildLinkIndex([moved, other], former);
  for (const target of ["Plan", "Journey"]) expect(resolveLink(target, "Notes.md", renamed)).toBe(moved);
  expect(resolveLink("Other", "Notes.md", renamed)).toBe(other);
  const inFolder = { path: "work/Plan.md" };
  const index = buildLinkIndex([inFolder], [{ path: "Plan.md", file: inFolder }]);
  expect(linkTextOf("work/Plan.md", index)).toBe("Plan");
});

describe("linkTextOf", () => {
  it("is the name if it is unique, otherwise the path", () => {
    expect(linkTextOf("work/Budget.md", index)).toBe("Budget");
    expect(linkTextOf("work/Plan.md", index)).toBe("work/Plan");
    expect(linkTextOf("home/photo.png", index)).toBe("photo.png");
  });
});

describe("pathForNewNote", () => {
  it("is beside the note with the link, or in the folder that the link names", () => {
    expect(pathForNewNote("Idea", "work/Plan.md")).toBe("work/Idea.md");
    expect(pathForNewNote("home/Idea", "work/Plan.md")).toBe("home/Idea.md");
    expect(pathForNewNote("../Idea", "work/Plan.md")).toBe("Idea.md");
    expect(pathForNewNote("../../out", "work/Plan.md")).toBeNull();
  });
});
