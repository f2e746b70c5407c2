/** `npx workspace` and `npm run workspace --`: the command line, whose results are all that reaches standard output. */
import { createRequire } from "node:module";

createRequire(import.meta.url)("./require-node.cjs");

const [command] = process.argv.slice(2);
process.env.NODE_ENV ??= "production";
if (command === "start") {
  process.argv.splice(2, 1);
  await import("./start.mjs");
} else if (command === "rotate-secrets" || command === "adopt-keys") {
  await import("./start.mjs");
} else {
  const { prepare } = await import("./prepare.mjs");
  prepare({ reportsTo: process.stderr });
  await import("../packages/api-rest/dist/workspace.js");
}
