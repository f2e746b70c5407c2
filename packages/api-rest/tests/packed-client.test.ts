import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const PACKAGE = join(import.meta.dirname, "../../client");
const TSC = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "workspace-packed-client-"));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const run = (command: string, args: readonly string[], cwd = folder): string =>
  execFileSync(command, args, { cwd, encoding: "utf8" });

test(
  "the packed client installs into an empty folder, compiles there strictly, and works",
  { timeout: 120_000 },
  async () => {
    run(process.execPath, [join(PACKAGE, "scripts/build.mjs")]);
    run("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder], PACKAGE);
    const [tarball = ""] = (await readdir(folder)).filter((name) => name.endsWith(".tgz"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "program", private: true, type: "module" }));
    // Offline: it has no dependencies.
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", join(folder, tarball)]);
    expect(await readdir(join(folder, "node_modules/@workspace/client"))).toEqual(
      expect.arrayContaining(["README.md", "dist", "package.json"]),
    );
    expect(await readdir(join(folder, "node_modules"))).toEqual([".package-lock.json", "@workspace"]);

    await copyFile(join(import.meta.dirname, "packed-client.fixture.ts"), join(folder, "program.ts"));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: false,
      skipLibCheck: false,
      target: "ES2023",
      module: "NodeNext",
      lib: ["ES2023", "DOM", "DOM.Iterable"],
      types: [],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["program.ts"] }));
    run(process.execPath, [TSC, "-p", folder]);

    const api = await server.signIn();
    const created = await api("POST", "/api/api-keys", {
      body: { name: "client", scopes: ["tasks:read", "tasks:write"] },
    });
    const program = join(folder, "run.mjs");
    const call = `doARoundOfWork(${JSON.stringify(server.url)}, ${JSON.stringify(created.body.data.key)})`;
    await writeFile(
      program,
      `import { doARoundOfWork } from ${JSON.stringify(pathToFileURL(join(folder, "program.js")).href)};
     console.log(JSON.stringify(await ${call}));`,
    );
    expect(JSON.parse(run(process.execPath, [program]))).toEqual({
      listed: ["three", "two", "one"],
      refusal: ["status"],
      isSame: true,
      isReplayed: "true",
    });
  },
);
