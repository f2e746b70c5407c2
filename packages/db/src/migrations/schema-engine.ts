import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { MigrationList, SchemaEngine, SchemaFilter } from "@prisma/schema-engine-wasm";
import { resolveDependency } from "../package-files.ts";
import type { EngineAdapterFactory } from "./engine-adapter.ts";
import { LOCK_FILE, type Migration, type MigrationFolder, SCRIPT_FILE_NAME } from "./migration-folder.ts";

/** No tables are managed by other tools. */
export const NO_FILTERS: SchemaFilter = { externalTables: [], externalEnums: [] };

/**
 * Runs `use` with Prisma's schema engine, the part of Prisma that compares schemas, as WebAssembly in this process. It is for the
 * authors of migrations; the service applies migrations without it.
 */
export async function withSchemaEngine<T>(
  factory: EngineAdapterFactory,
  use: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  const module = await (loadedModule ??= loadModule());
  const engine = await module.SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  try {
    return await use(engine);
  } finally {
    engine.free();
  }
}

/** A folder's migrations, or the first few of them, in the engine's format. */
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

/** The part of WebAssembly that is used here; neither TypeScript's nor Node's types declare it. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Loaded once, because the package's code keeps the state of a single instance. */
let loadedModule: ReturnType<typeof loadModule> | undefined;

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

/** If the engine crashes, it calls this global; without it, the crash would be an unrelated TypeError. */
function reportPanics(): void {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`Prisma's schema engine crashed: ${message}`);
      },
    },
  });
}
