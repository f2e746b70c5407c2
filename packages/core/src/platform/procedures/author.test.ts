import { expect, test } from "vitest";
import { authorOf, authorSchema, type Author, type Origin } from "./author.ts";
import type { Principal } from "./principal.ts";

const token: Principal = { kind: "user", userId: "u", name: "Ada", email: "ada@x.y" };
const person: Principal = { ...token, sessionId: "s" };
const key: Principal = { kind: "api_key", keyId: "k", userId: "u", name: "Laptop", scopes: new Set() };
const http: Origin = { kind: "http", sessionId: null };

test.each<[string, Principal, Origin, Author]>([
  ["a person who is signed in", person, http, { kind: "person", name: "Ada", userId: "u" }],
  ["the API token", token, http, { kind: "program", name: "API token", userId: "u" }],
  ["a key", key, http, { kind: "program", name: "Laptop", userId: "u", keyId: "k" }],
  [
    "an assistant that names its session outside MCP",
    key,
    { kind: "http", sessionId: "9f" },
    { kind: "assistant", name: "Laptop", userId: "u", keyId: "k", sessionId: "9f" },
  ],
  [
    "an assistant",
    key,
    { kind: "mcp", sessionId: null },
    { kind: "assistant", name: "Laptop", userId: "u", keyId: "k" },
  ],
  [
    "an assistant's session",
    key,
    { kind: "mcp", sessionId: "9f" },
    { kind: "assistant", name: "Laptop", userId: "u", keyId: "k", sessionId: "9f" },
  ],
  [
    "an agent, and not the person for whom it runs",
    person,
    { kind: "agent", agentId: "a", agentName: "Gardener", runId: "r" },
    { kind: "agent", name: "Gardener", userId: "u", agentId: "a", runId: "r" },
  ],
  [
    "the model of a chat, and not the person who writes in it",
    person,
    { kind: "chat", conversationId: "c", messageId: "m", toolUseId: "t" },
    { kind: "chat", name: "Ada", userId: "u", conversationId: "c", messageId: "m", toolUseId: "t" },
  ],
])("the author is %s", (_who, principal, origin, author) => {
  expect(authorOf({ principal, origin })).toEqual(author);
  expect(authorSchema.parse(author)).toEqual(author);
});
