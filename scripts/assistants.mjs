/** `npm run assistants`: builds what is needed, then tries the hooks with real releases of assistants. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prepare, rootDir } from "./prepare.mjs";

prepare();
const { status } = spawnSync(process.execPath, ["--import", "tsx", "assistants/main.ts", ...process.argv.slice(2)], {
  cwd: join(rootDir, "packages/hooks-cli"),
  stdio: "inherit",
});
process.exit(status ?? 1);
