/** `npx workspace` and `npm run workspace --`: the command line, whose results are all that reaches standard output. */
import { createRequire } from "node:module";

createRequire(import.meta.url)("./require-node.cjs");

const [command, ...rest] = process.argv.slice(2);
process.env.NODE_ENV ??= "production";
if (command === "start" && rest.length === 0) {
  process.argv.splice(2, 1);
  await import("./start.mjs");
} else if (command === "adopt-keys") {
  await import("./start.mjs");
} else {
  const { prepare } = await import("./prepare.mjs");
  prepare({ reportsTo: process.stderr });
  await import("../packages/api-rest/dist/workspace.js");
}
