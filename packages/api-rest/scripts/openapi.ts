/** Writes the OpenAPI documents; with `--check` it only compares, and fails where a committed one is out of date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appRouter } from "@workspace/core";
import * as z from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { describeRouter } from "./describe-router.ts";
import { authAndHealthPaths } from "./auth-and-health-paths.ts";

const docsDir = join(import.meta.dirname, "../../../docs");

const issue = z.object({ path: z.string(), message: z.string() });

const documents = {
  "openapi.json": describeRouter({
    title: "Workspace API",
    description: "Everything that the dashboard does: for people, by cookie session or API token.",
    version: packageJson.version,
    basePath: "/api",
    router: appRouter,
    securitySchemes: {
      session: { type: "apiKey", in: "cookie", name: "better-auth.session_token" },
      apiToken: { type: "apiKey", in: "header", name: "X-API-Token" },
    },
    extraPaths: authAndHealthPaths,
    errorSchema: z.object({
      statusCode: z.number().int(),
      statusMessage: z.string(),
      message: z.string(),
      issues: z.array(issue).optional(),
    }),
  }),
};

let isOutOfDate = false;
for (const [name, document] of Object.entries(documents)) {
  const path = join(docsDir, name);
  const text = `${JSON.stringify(document, null, 2)}\n`;
  const isCurrent = existsSync(path) && readFileSync(path, "utf8") === text;
  if (isCurrent) continue;
  if (process.argv.includes("--check")) {
    isOutOfDate = true;
    process.stderr.write(`docs/${name} is out of date; run "pnpm --filter @workspace/api-rest openapi".\n`);
  } else {
    writeFileSync(path, text);
    process.stdout.write(`wrote docs/${name}\n`);
  }
}
process.exitCode = isOutOfDate ? 1 : 0;
