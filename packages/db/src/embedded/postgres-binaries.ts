import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { resolveDependency } from "../package-files.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** PostgreSQL's programs, as installed by the package for this platform. */
export interface PostgresBinaries {
  /** The folder that contains bin, lib and share. */
  readonly dir: string;
  /** Identifies the build: version, platform, architecture. */
  readonly build: string;
  /** The major version, such as `18`. */
  readonly majorVersion: string;
}

const PACKAGES = { current: "embedded-postgres", previous: "previous-embedded-postgres" } as const;

/**
 * Finds the PostgreSQL programs that were installed for this platform: those of the service, or those of the major version before
 * it, which are only needed to bring a cluster over. Throws {@link EmbeddedPostgresError} if they are not installed.
 */
export async function findPostgresBinaries(which: "current" | "previous" = "current"): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === "win32") {
    throw new EmbeddedPostgresError(
      "The embedded PostgreSQL requires Linux or macOS. On Windows, use WSL or set DATABASE_URL.",
    );
  }
  const packageName = `@embedded-postgres/${platform}`;
  let entry: string;
  try {
    entry = resolveDependency(packageName, [PACKAGES[which]]);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this platform: ${packageName} is not installed. ` +
        "Reinstall the dependencies, including the optional ones, or set DATABASE_URL.",
      { cause },
    );
  }
  const packageDir = dirname(dirname(entry));
  const manifest: unknown = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const version = versionOf(manifest);
  const [majorVersion = ""] = version.split(".");
  return { dir: join(packageDir, "native"), build: `${version}-${platform}`, majorVersion };
}

function versionOf(manifest: unknown): string {
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  if (!hasVersion || typeof manifest.version !== "string")
    throw new EmbeddedPostgresError("The PostgreSQL package has no version.");
  return manifest.version;
}
