import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test("characters that hide or reorder what a command says are shown by their codes", () => {
  expect(visibleText("rm \u202ecba\u202c -r\u200bf\u0007 \u{e0041}")).toBe("rm ⟨202E⟩cba⟨202C⟩ -r⟨200B⟩f⟨7⟩ ⟨E0041⟩");
});

test("lines, tabs and letters of all languages stay as they are", () => {
  const text = "echo 'größe 日本 🎉'\n\tls -la";
  expect(visibleText(text)).toBe(text);
});
