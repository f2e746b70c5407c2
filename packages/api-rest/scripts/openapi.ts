/**
 * Writes the OpenAPI documents, the AsyncAPI document and the list of capabilities; with `--check`, it only compares them and fails if a committed one
 * is out of date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { v1Operations } from "@workspace/api-v1";
import { capabilities, listOperations } from "@workspace/core";
import * as z from "zod";
import packageJson from "../../../package.json" with { type: "json" };
import { describeCapabilities } from "./describe-capabilities.ts";
import { describeOperations } from "./describe-operations.ts";
import { describeSocket } from "./describe-socket.ts";
import { authAndHealthPaths } from "./auth-and-health-paths.ts";
import { describeAskStream } from "./describe-ask-stream.ts";
import { rawFilePaths } from "./raw-file-paths.ts";
import { skillPath } from "./skill-path.ts";

const docsDir = join(import.meta.dirname, "../../../docs");

const issue = z.object({ path: z.string(), message: z.string() });

const documents = {
  "openapi.json": describeOperations({
    title: "Workspace API",
    description: "Everything that the dashboard can do: for people, with a session cookie or an API token.",
    version: packageJson.version,
    basePath: "/api",
    operations: listOperations(capabilities, "api"),
    securitySchemes: {
      session: { type: "apiKey", in: "cookie", name: "better-auth.session_token" },
      apiToken: { type: "apiKey", in: "header", name: "X-API-Token" },
      key: { type: "http", scheme: "bearer", description: "An API key with the scope hooks" },
    },
    schemesFor: (access) => {
      if (access === "anyone") return [];
      if (access === "signed_in") return ["session"];
      return access === "user" ? ["session", "apiToken"] : ["session", "apiToken", "key"];
    },
    extraPaths: { ...authAndHealthPaths, ...rawFilePaths },
    errorSchema: z.object({
      statusCode: z.number().int(),
      statusMessage: z.string(),
      message: z.string(),
      issues: z.array(issue).optional(),
    }),
  }),
  "openapi.v1.json": describeOperations({
    title: "Workspace API v1",
    description: "For other programs, with a bearer key. Keys are created in the dashboard or at /api/api-keys.",
    version: packageJson.version,
    basePath: "/api/v1",
    operations: v1Operations,
    securitySchemes: { key: { type: "http", scheme: "bearer" } },
    schemesFor: () => ["key"],
    isForKeys: true,
    extraPaths: skillPath,
    errorSchema: z.object({ message: z.string(), issues: z.array(issue).optional() }),
  }),
};

describeAskStream(documents["openapi.v1.json"]);

const asyncApi = describeSocket({ title: "Workspace WebSocket", version: packageJson.version });

const texts = Object.entries({ ...documents, "asyncapi.json": asyncApi }).map(
  ([name, document]) => [name, `${JSON.stringify(document, null, 2)}\n`] as const,
);

let isOutOfDate = false;
for (const [name, text] of [...texts, ["capabilities.md", describeCapabilities(capabilities)] as const]) {
  const path = join(docsDir, name);
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
