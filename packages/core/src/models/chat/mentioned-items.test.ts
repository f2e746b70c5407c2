import { expect, test } from "vitest";
import { createTestRedactor } from "../../../testing/test-deps.ts";
import { createEnclosureReading } from "./mentioned-items.ts";

test("a secret where a long note is cut reaches the model in no part", async () => {
  const unused = () => Promise.reject(new Error("unused"));
  for (const shift of [1, 4, 6]) {
    const body = `${"x".repeat(20_000 - shift)}hunter2${"y".repeat(50)}`;
    const document = { title: "Long", path: "Long.md", deletedAt: null };
    const readers = { task: unused, memory: unused, document: async () => ({ document, metadata: {}, body }) as any };
    const read = createEnclosureReading(readers, createTestRedactor("hunter2"));
    const { context } = await read([{ kind: "document", id: "1" }], []);
    expect(context).not.toMatch(/xh/);
    expect(context).toContain("… cut here");
  }
});
