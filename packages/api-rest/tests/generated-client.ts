import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import openapiTypescript, { astToString } from "openapi-typescript";

const packageDir = join(import.meta.dirname, "..");
const run = promisify(execFile);

/**
 * Compiles a program, strictly, beside the types that are generated from an OpenAPI document. It imports them as `./v1-api.ts` or
 * `./api.ts`, whatever `types` says. Throws what the compiler reports.
 */
export async function compileClient(
  document: Parameters<typeof openapiTypescript>[0],
  { program, types }: { readonly program: string; readonly types: string },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-client-"));
  try {
    await writeFile(join(folder, types), astToString(await openapiTypescript(document)));
    await copyFile(program, join(folder, "program.ts"));
    await symlink(join(packageDir, "node_modules"), join(folder, "node_modules"));
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          module: "ESNext",
          moduleResolution: "Bundler",
          allowImportingTsExtensions: true,
          lib: ["ES2023", "DOM", "DOM.Iterable"],
          types: [],
        },
        include: ["program.ts"],
      }),
    );
    await run(join(packageDir, "node_modules/.bin/tsc"), ["-p", folder]).catch((error: { stdout?: string }) => {
      throw new Error(`The program does not compile:\n${error.stdout ?? ""}`);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
