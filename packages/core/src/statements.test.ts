import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { declaredStatements } from "@workspace/db";
import { applySchema, createTestDatabase, findStatementProblems } from "@workspace/db/testing";
import { expect, it, onTestFinished } from "vitest";

const PACKAGES = join(import.meta.dirname, "../..");

/** Declares every statement by importing every module that may contain one. */
async function declareAll(): Promise<void> {
  for (const file of await sourceFiles("core/src")) await import(join(PACKAGES, file));
}

it("has only statements that are valid for schema.prisma and return what they declare", async () => {
  const { db, close } = await createTestDatabase();
  onTestFinished(close);
  await applySchema(db);
  await declareAll();
  expect(declaredStatements().length).toBeGreaterThan(200);
  expect(await findStatementProblems(db.pool, declaredStatements())).toEqual([]);
}, 120_000);

/** A query called with anything but a function, as procedures are. */
const SENT_DIRECTLY = /\.query(?:<[^(]*>)?\(\s*(?!\s|\(|async\b)/;

const UNDECLARED = [
  // These do not refer to anything in the schema.
  "api-rest/src/http/health.ts",
  "api-rest/src/http/write-health.ts",
  // The sign-in library's own queries.
  "core/src/access/auth/auth-adapter.ts",
];

it("sends only declared statements", async () => {
  const files = (await Promise.all(["core/src", "api-v1/src", "api-rest/src"].map(sourceFiles))).flat();
  const senders = await Promise.all(
    files.map(async (file) => {
      const source = await readFile(join(PACKAGES, file), "utf8");
      return SENT_DIRECTLY.test(source) ? [file] : [];
    }),
  );
  expect(senders.flat().toSorted()).toEqual(UNDECLARED);
});

async function sourceFiles(folder: string): Promise<string[]> {
  const paths = await readdir(join(PACKAGES, folder), { recursive: true });
  const isSource = (path: string) =>
    path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("testing/") && !path.includes("generated");
  return paths.filter(isSource).map((path) => join(folder, path));
}
