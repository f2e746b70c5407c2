/** Writes the OpenAPI documents; with `--check` it only compares, and fails where a committed one is out of date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { v1Router } from "@workspace/api-v1";
import { appRouter } from "@workspace/core";
import * as z from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { describeRouter } from "./describe-router.ts";
import { authAndHealthPaths } from "./auth-and-health-paths.ts";
import { describeAskStream } from "./describe-ask-stream.ts";
import { rawFilePaths } from "./raw-file-paths.ts";
import { skillPath } from "./skill-path.ts";

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
      key: { type: "http", scheme: "bearer", description: "An API key with the scope hooks" },
    },
    schemesFor: (access) =>
      access === "anyone" ? [] : access === "user" ? ["session", "apiToken"] : ["session", "apiToken", "key"],
    extraPaths: { ...authAndHealthPaths, ...rawFilePaths },
    errorSchema: z.object({
      statusCode: z.number().int(),
      statusMessage: z.string(),
      message: z.string(),
      issues: z.array(issue).optional(),
    }),
  }),
  "openapi.v1.json": describeRouter({
    title: "Workspace API v1",
    description: "For other programs, by bearer key. Keys are made in the dashboard or at /api/api-keys.",
    version: packageJson.version,
    basePath: "/api/v1",
    router: v1Router,
    securitySchemes: { key: { type: "http", scheme: "bearer" } },
    schemesFor: () => ["key"],
    extraPaths: skillPath,
    errorSchema: z.object({ message: z.string(), issues: z.array(issue).optional() }),
  }),
};

let isOutOfDate = false;
describeAskStream(documents["openapi.v1.json"]);

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
