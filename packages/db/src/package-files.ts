import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/*
 * The one place that knows where this package lies on disk. It asks Node for the package by its own name, which gives
 * the same answer from the source (a package may refer to itself) and from the server's bundle (whose package depends
 * on this one), so no file may be looked up relative to `import.meta.url` anywhere else.
 */

function packageManifestPath(): string {
  return createRequire(import.meta.url).resolve("@workspace/db/package.json");
}

/** The absolute path of a file or folder of this package, named by its parts below the package's own folder. */
export function packageFile(...parts: string[]): string {
  return join(dirname(packageManifestPath()), ...parts);
}

/**
 * The absolute path of the file that a dependency of this package resolves to.
 * Throws Node's MODULE_NOT_FOUND when it is not installed.
 *
 * @param through - packages to go through, each a dependency of the one before, when it is an indirect dependency
 */
export function resolveDependency(specifier: string, through: readonly string[] = []): string {
  const issuer = through.reduce((path, name) => createRequire(path).resolve(name), packageManifestPath());
  return createRequire(issuer).resolve(specifier);
}

/** The folder of the committed migrations. */
export function defaultMigrationsDir(): string {
  return packageFile("prisma", "migrations");
}

/** The schema that the migrations must add up to. */
export function defaultSchemaPath(): string {
  return packageFile("prisma", "schema.prisma");
}
