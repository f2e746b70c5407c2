import { describe, expect, it } from "vitest";
import { exportLine, snippetsFor } from "./snippets.ts";

const SERVER = "http://rack.local:3000";
const snippets = snippetsFor(SERVER, null, "abc1");

describe("the snippets", () => {
  it("cover every way to connect", () => {
    expect(snippets.map((snippet) => snippet.id)).toEqual(["mcp", "hooks", "python", "curl", "typescript"]);
  });

  it.each(snippets)("contain this server's address in $title", ({ blocks }) => {
    expect(blocks.some(({ code }) => code.includes(SERVER))).toBe(true);
  });

  it("contain no key, only the variable it is read from", () => {
    const code = snippets.flatMap(({ blocks }) => blocks.map((block) => block.code)).join("\n");
    expect(code).not.toContain("wsk_");
    expect(code.match(/WORKSPACE_API_KEY/g)?.length).toBeGreaterThanOrEqual(6);
  });

  it("install the hooks from this server, with the key that was created", () => {
    const hooks = snippetsFor(SERVER, "wsk_new", "abc1").find((snippet) => snippet.id === "hooks");
    expect(hooks?.blocks.map(({ code }) => code)).toEqual([
      `npx -y -p ${SERVER}/workspace-hooks-abc1.tgz workspace-hooks install --server ${SERVER} --key wsk_new`,
      expect.stringMatching(/^Run this command .*: npx .* install .* --key wsk_new$/),
      `npx -y -p ${SERVER}/workspace-hooks-abc1.tgz workspace-hooks doctor --self-test`,
    ]);
  });

  it("suggest a key for the hooks alone", () => {
    expect(snippets.find((snippet) => snippet.id === "hooks")?.scopeSet).toBe("hooks");
  });
});

it("exports a key in a shell", () => {
  expect(exportLine("wsk_abc")).toBe("export WORKSPACE_API_KEY=wsk_abc");
});

it.each([
  ["http://rack.local:3000", false],
  ["http://localhost:3000", true],
  ["https://workspace.example.com", true],
])("at %s offers programs to ask by browser: %s", (server, isOffered) => {
  const mcp = snippetsFor(server, null, "abc1").find((snippet) => snippet.id === "mcp");
  expect(mcp?.blocks.some(({ caption }) => caption.includes("without a key"))).toBe(isOffered);
});
