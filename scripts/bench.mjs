/**
 * `npm run bench [-- <program> [arguments]]`: installs and builds what is needed, then measures. A program is a file of
 * `bench/src`; without one, it is `main`, which takes the names of its rows. Needs wrk.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, rootDir } from "./prepare.mjs";

prepare();
const benchDir = join(rootDir, "bench");
const [name = "", ...rest] = process.argv.slice(2);
const isProgram = /^[a-z-]+$/.test(name) && existsSync(join(benchDir, "src", `${name}.ts`));
const [program, args] = isProgram ? [name, rest] : ["main", process.argv.slice(2)];
// From the caller's folder, so that relative paths among the arguments mean what they say.
const tsx = createRequire(join(benchDir, "package.json")).resolve("tsx");
const { status } = spawnSync(
  process.execPath,
  ["--import", pathToFileURL(tsx).href, join(benchDir, "src", `${program}.ts`), ...args],
  { cwd: process.env.INIT_CWD ?? process.cwd(), stdio: "inherit" },
);
process.exit(status ?? 1);
