import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/*
 * The only place that knows this package's path on disk. It has Node resolve the package by its own name, which gives the same
 * result from the source (a package may refer to itself) and from the server's bundle (whose package depends on this one), so no
 * other code may look up files relative to `import.meta.url`.
 */

function packageManifestPath(): string {
  return createRequire(import.meta.url).resolve("@workspace/db/package.json");
}

/** The absolute path of a file or folder of this package, given by the parts of its path within the package. */
export function packageFile(...parts: string[]): string {
  return join(dirname(packageManifestPath()), ...parts);
}

/**
 * The absolute path of the file that a dependency of this package resolves to.
 * Throws Node's MODULE_NOT_FOUND if it is not installed.
 *
 * @param through - for an indirect dependency, the packages in between, each a dependency of the one before
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
