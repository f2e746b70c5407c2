import { describe, expect, it } from "vitest";
import { sampleDocument } from "../../../test-kit/sample-document.ts";
import { rankForLink } from "./link-ranking.ts";

describe("rankForLink", () => {
  const files = [
    sampleDocument({ path: "plans/Old.md", title: "Old" }),
    sampleDocument({ path: "The plan.md", title: "The plan" }),
    sampleDocument({ path: "Plan.md", title: "Plan", modifiedAt: "2026-01-01T00:00:00.000Z" }),
    sampleDocument({ path: "Planets.md", title: "Planets", modifiedAt: "2026-02-01T00:00:00.000Z" }),
    sampleDocument({ path: "x.md", title: "Planning" }),
    sampleDocument({ path: "Other.md", title: "Other" }),
  ];

  it("offers the name that is written in full first, then names with the prefix, then titles, then other matches, newest first", () => {
    expect(rankForLink(files, "plan", 10).map(({ path }) => path)).toEqual([
      "Plan.md",
      "Planets.md",
      "x.md",
      "The plan.md",
      "plans/Old.md",
    ]);
  });

  it("offers the title that is written in full before names that only begin so", () => {
    expect(rankForLink(files, "planning", 1).map(({ path }) => path)).toEqual(["x.md"]);
    const [plan] = rankForLink([...files, sampleDocument({ path: "2.md", title: "Plan" })], "Plan", 2).slice(1);
    expect(plan?.path).toBe("2.md");
  });

  it("offers the newest for an empty query, and no more than requested", () => {
    expect(rankForLink(files, "", 1).map(({ path }) => path)).toEqual(["Planets.md"]);
  });
});
