import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MigrationList, SchemaEngine, SchemaFilter } from "@prisma/schema-engine-wasm";
import { resolveDependency } from "../package-files.ts";
import type { EngineAdapterFactory } from "./engine-adapter.ts";
import { LOCK_FILE, type Migration, type MigrationFolder, SCRIPT_FILE_NAME } from "./migration-folder.ts";

/** No table is managed by anyone else. */
export const NO_FILTERS: SchemaFilter = { externalTables: [], externalEnums: [] };

/**
 * Runs `use` with Prisma's schema engine, the part of Prisma that compares schemas and applies migrations, as WebAssembly
 * in this process. Loading it takes some 30 ms and 15 MB, so it is loaded only where there is something to do.
 */
export async function withSchemaEngine<T>(
  factory: EngineAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const module = await (globalThis.prismaSchemaEngine ??= loadModule());
  const engine = await module.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  try {
    return await use(engine);
  } finally {
    engine.free();
  }
}

/** A folder's migrations, or the first few of them, in the engine's words. */
export function toMigrationList(folder: MigrationFolder, migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: folder.dir,
    lockfile: { path: LOCK_FILE.name, content: LOCK_FILE.content },
    shadowDbInitScript: "",
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: SCRIPT_FILE_NAME, content: { tag: "ok", value: sql } },
    })),
  };
}

/** What of WebAssembly is used here; neither the language's nor Node's own types know it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

declare global {
  /**
   * Loaded once in a process: the package's code keeps state of the one instance that it is connected to. Global, because a
   * test runner loads this file once for each of its projects, and the package once for all of them.
   */
  var prismaSchemaEngine: ReturnType<typeof loadModule> | undefined;
}

/** The package's own entry imports the .wasm file as a module, which Node 20 cannot. */
async function loadModule() {
  const module = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(
    join(dirname(resolveDependency("@prisma/schema-engine-wasm/schema_engine_bg")), "schema_engine_bg.wasm"),
  );
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": module });
  const { __wbg_set_wasm: connectWasm } = module;
  const { __wbindgen_start: start } = instance.exports;
  connectWasm(instance.exports);
  if (typeof start === "function") start();
  reportPanics();
  return module;
}

/** When the engine crashes it calls this global, and without it the crash would be an unrelated TypeError. */
function reportPanics(): void {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`Prisma's schema engine crashed: ${message}`);
      },
    },
  });
}
