import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadCodeAhead, loadLater } from "./code-parts.ts";

const loaded: string[] = [];
loadLater(async () => void loaded.push("one"));
loadLater(async () => void loaded.push("other"));

beforeEach(() => {
  loaded.length = 0;
  vi.stubGlobal("window", {});
});
afterEach(() => vi.unstubAllGlobals());

it("all parts of the code are loaded ahead, one after the other", async () => {
  vi.stubGlobal("navigator", {});
  expect(await loadCodeAhead()).toBe(true);
  expect(loaded).toEqual(["one", "other"]);
});

it("nothing is loaded ahead for those who save data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  expect(await loadCodeAhead()).toBe(false);
  expect(loaded).toEqual([]);
});
