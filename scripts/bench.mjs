/** `npm run bench`: installs and builds what is needed, then measures. Needs wrk. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, rootDir } from "./prepare.mjs";

prepare();
const { status } = spawnSync(process.execPath, ["--import", "tsx", "src/main.ts", ...process.argv.slice(2)], {
  cwd: join(rootDir, "bench"),
  stdio: "inherit",
});
process.exit(status ?? 1);
