// Generates the Prisma client into src/generated, offline, and only when its inputs have changed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));
const schemaPath = join(packageDir, "prisma", "schema.prisma");
const outputDir = join(packageDir, "src", "generated");
const digestPath = join(outputDir, ".inputs");
const prismaManifestPath = createRequire(import.meta.url).resolve("prisma/package.json");

const digest = digestOf([schemaPath, prismaManifestPath, fileURLToPath(import.meta.url)]);
const isUpToDate = existsSync(digestPath) && readFileSync(digestPath, "utf8") === digest;
if (!isUpToDate) generate();

function generate() {
  // Otherwise, models that were removed from the schema would remain.
  rmSync(outputDir, { recursive: true, force: true });
  const prisma = join(dirname(prismaManifestPath), JSON.parse(readFileSync(prismaManifestPath, "utf8")).bin.prisma);
  const { status, stdout, stderr } = spawnSync(process.execPath, [prisma, "generate", "--schema", schemaPath], {
    cwd: packageDir,
    encoding: "utf8",
    env: {
      ...process.env,
      // Prisma downloads its schema engine unless this names a program. Generating a client never runs it.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(status ?? 1);
  }
  writeFileSync(digestPath, digest);
}

/** @param {string[]} paths */
function digestOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest("hex");
}
