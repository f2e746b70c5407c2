import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uuidV7 } from "../../platform/ids.ts";
import { createAuthAdapter } from "./auth-adapter.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = new Date("2026-03-04T05:06:07.089Z");

let database: TestDatabase;
let adapter: ReturnType<ReturnType<typeof createAuthAdapter>>;
let userId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  adapter = createAuthAdapter(database.db.pool)({ advanced: { database: { generateId: () => uuidV7() } } });
  const data = { name: "Ada", email: "ada@example.com", emailVerified: true, createdAt: NOW, updatedAt: NOW };
  ({ id: userId } = await adapter.create<typeof data, { id: string }>({ model: "user", data }));
  for (const [index, token] of ["a", "b", "c"].entries()) {
    const expiresAt = new Date(NOW.getTime() + index * DAY_MS);
    await adapter.create({ model: "session", data: { token, userId, expiresAt, createdAt: NOW, updatedAt: NOW } });
  }
});
afterAll(() => database.close());

const tokens = async (...where: Parameters<typeof adapter.findMany>[0]["where"] & object): Promise<string[]> => {
  const sortBy = { field: "token", direction: "asc" } as const;
  const found = await adapter.findMany<{ token: string }>({ model: "session", where, sortBy });
  return found.map(({ token }) => token);
};

describe("the sign-in library's storage", () => {
  it("returns what was stored, with times as dates and absent values as null", async () => {
    expect(await adapter.findOne({ model: "user", where: [{ field: "email", value: "ada@example.com" }] })).toEqual({
      id: userId,
      name: "Ada",
      email: "ada@example.com",
      emailVerified: true,
      image: null,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(await adapter.findOne({ model: "user", where: [{ field: "email", value: "eve@example.com" }] })).toBeNull();
  });

  it("finds rows by all comparisons, combined with AND and OR", async () => {
    const tomorrow = new Date(NOW.getTime() + DAY_MS);
    expect(await tokens()).toEqual(["a", "b", "c"]);
    expect(await tokens({ field: "token", value: "b" })).toEqual(["b"]);
    expect(await tokens({ field: "token", value: "b", operator: "ne" })).toEqual(["a", "c"]);
    expect(await tokens({ field: "expiresAt", value: tomorrow, operator: "lt" })).toEqual(["a"]);
    expect(await tokens({ field: "expiresAt", value: tomorrow, operator: "lte" })).toEqual(["a", "b"]);
    expect(await tokens({ field: "expiresAt", value: tomorrow, operator: "gt" })).toEqual(["c"]);
    expect(await tokens({ field: "expiresAt", value: tomorrow, operator: "gte" })).toEqual(["b", "c"]);
    expect(await tokens({ field: "token", value: ["a", "c"], operator: "in" })).toEqual(["a", "c"]);
    expect(await tokens({ field: "token", value: ["a", "c"], operator: "not_in" })).toEqual(["b"]);
    expect(await tokens({ field: "userAgent", value: null })).toEqual(["a", "b", "c"]);
    expect(await tokens({ field: "userAgent", value: null, operator: "ne" })).toEqual([]);
    expect(await tokens({ field: "userId", value: userId }, { field: "token", value: "a" })).toEqual(["a"]);
    const either = (value: string) => ({ field: "token", value, connector: "OR" }) as const;
    expect(await tokens({ field: "userId", value: userId }, either("a"), either("c"))).toEqual(["a", "c"]);
  });

  it("refuses a comparison that the library has no use for, rather than ignore it", async () => {
    await expect(tokens({ field: "token", value: "a", operator: "contains" })).rejects.toThrow(/unexpected query/);
    await expect(tokens({ field: "token", value: "A", mode: "insensitive" })).rejects.toThrow(/unexpected query/);
  });

  it("counts, pages, changes and deletes rows", async () => {
    expect(await adapter.count({ model: "session" })).toBe(3);
    const page = await adapter.findMany<{ token: string }>({
      model: "session",
      limit: 1,
      offset: 1,
      sortBy: { field: "expiresAt", direction: "desc" },
    });
    expect(page.map(({ token }) => token)).toEqual(["b"]);
    const where = [{ field: "token", value: "c" }];
    expect(await adapter.update({ model: "session", where, update: { ipAddress: "::1" } })).toMatchObject({
      token: "c",
      ipAddress: "::1",
      expiresAt: new Date(NOW.getTime() + 2 * DAY_MS),
    });
    const missing = [{ field: "token", value: "d" }];
    expect(await adapter.update({ model: "session", where: missing, update: { ipAddress: "::1" } })).toBeNull();
    const all = [{ field: "userId", value: userId }];
    expect(await adapter.updateMany({ model: "session", where: all, update: { userAgent: "test" } })).toBe(3);
    await adapter.delete({ model: "session", where });
    expect(await tokens({ field: "userAgent", value: "test" })).toEqual(["a", "b"]);
    expect(await adapter.deleteMany({ model: "session", where: all })).toBe(2);
  });

  it("stores all or nothing of a transaction", async () => {
    const data = { name: "Eve", email: "eve@example.com", emailVerified: false, createdAt: NOW, updatedAt: NOW };
    const failing = adapter.transaction(async (inside) => {
      await inside.create({ model: "user", data });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await adapter.count({ model: "user" })).toBe(1);
    await adapter.transaction(async (inside) => void (await inside.create({ model: "user", data })));
    expect(await adapter.count({ model: "user" })).toBe(2);
  });
});
