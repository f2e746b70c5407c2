import { readFile } from "node:fs/promises";
import type { Plugin } from "vite";

const PACKAGE = "lucide-react";
const IMPORT = new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["']${PACKAGE}["'];?`, "g");
const EXPORT = /export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g;
const DEFAULT_AS = /^default as (\w+)$/;

/** The file of each icon, without extension, by all names that the package exports it under. */
export function readIconFiles(index: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [, exported = "", file = ""] of index.matchAll(EXPORT))
    for (const part of exported.split(",")) {
      const name = DEFAULT_AS.exec(part.trim())?.[1];
      if (name !== undefined) files.set(name, file);
    }
  return files;
}

/** Returns the code with each icon imported from its own file; what is not an icon is still imported from the package. */
export function importIconsByFile(code: string, files: ReadonlyMap<string, string>): string {
  return code.replace(IMPORT, (_, imported: string) => {
    const parts = imported
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "");
    const lines: string[] = [];
    const others: string[] = [];
    for (const part of parts) {
      const [name = "", local = name] = part.split(" as ");
      const file = files.get(name);
      if (file === undefined) others.push(part);
      else lines.push(`import ${local} from "${PACKAGE}/icons/${file}";`);
    }
    if (others.length > 0) lines.push(`import { ${others.join(", ")} } from "${PACKAGE}";`);
    return lines.join(" ");
  });
}

/**
 * Imports each icon from its own file. With the package's index between them, every icon that any page shows seems to belong to every
 * module that shows one, and so to the first screen.
 */
export function iconImports(): Plugin {
  let files: ReadonlyMap<string, string> = new Map();
  return {
    name: "workspace:icon-imports",
    apply: "build",
    async buildStart() {
      const index = await this.resolve(PACKAGE, import.meta.filename);
      files = index === null ? files : readIconFiles(await readFile(index.id, "utf8"));
      if (files.size === 0) this.error(`No icons were found in ${PACKAGE}.`);
    },
    transform: {
      filter: { code: PACKAGE, id: /\.tsx?$/ },
      handler: (code) => importIconsByFile(code, files),
    },
  };
}
