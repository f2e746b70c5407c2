import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE_DIR = join(import.meta.dirname, "..");
const CREATES_DATABASE = /\b(?:createTest(?:Database|Vault|Workspace)|useWebhooks)\(/;

/**
 * The tests of this package that create a database, as relative paths. All others run without a database server, so a test that
 * is missing here by mistake fails.
 */
export function findDatabaseTests(): string[] {
  const names = readdirSync(join(PACKAGE_DIR, "src"), { recursive: true, encoding: "utf8" });
  const tests = names.filter((name) => name.endsWith(".test.ts")).map((name) => join("src", name));
  return tests.filter((test) => CREATES_DATABASE.test(readFileSync(join(PACKAGE_DIR, test), "utf8")));
}
