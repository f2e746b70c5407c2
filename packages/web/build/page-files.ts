import type { Plugin } from "vite";

/** What decides which files of a build load with a page. */
interface BuiltFile {
  readonly fileName: string;
  readonly type: "chunk" | "asset";
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
  readonly facadeModuleId?: string | null;
}

/** By the name of a page: what it loads by itself for its first screen, as path suffixes of modules. */
type LaterParts = Readonly<Record<string, readonly string[]>>;

const PAGE = /\/([\w-]+)-page\.tsx$/;

/** The scripts that each page loads besides those of every page, by the name of its module without `-page`. */
export function filesOfPages(
  built: readonly BuiltFile[],
  document: string,
  parts: LaterParts,
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map(built.map((file) => [file.fileName, file]));
  const withImports = (names: readonly string[]) => {
    // Sets are iterated with what is added meanwhile.
    const files = new Set(names);
    for (const name of files) byName.get(name)?.imports?.forEach((file) => files.add(file));
    return files;
  };
  const entry = built.find(({ isEntry, facadeModuleId }) => isEntry === true && facadeModuleId?.endsWith(document));
  if (entry === undefined) throw new Error(`No chunk was built for ${document}.`);
  const ofAll = withImports([entry.fileName]);
  const pages = new Map<string, readonly string[]>();
  for (const { fileName, facadeModuleId } of built) {
    const name = PAGE.exec(facadeModuleId ?? "")?.[1];
    if (name === undefined) continue;
    const own = parts[name] ?? [];
    const begun = built.filter((file) => own.some((suffix) => file.facadeModuleId?.endsWith(suffix)));
    const files = withImports([fileName, ...begun.map((file) => file.fileName)]);
    pages.set(
      name,
      [...files].filter((file) => !ofAll.has(file)),
    );
  }
  return pages;
}

/**
 * Names the scripts of each page in the document, so that `first-paint.js` can have them loaded together with those of every page rather
 * than after them.
 */
export function pageFiles(document: string, parts: LaterParts): Plugin {
  return {
    name: "workspace:page-files",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle, path }) {
        if (bundle === undefined || path !== document) return [];
        const pages = filesOfPages(Object.values(bundle), document, parts);
        const files = [...new Set([...pages.values()].flat())];
        const numbers = [...pages].map(([name, own]) => `${name}:${own.map((file) => files.indexOf(file)).join(",")}`);
        const attrs = { name: "page-files", content: files.join(" "), "data-pages": numbers.join(" ") };
        return [{ tag: "meta", attrs, injectTo: "head-prepend" }];
      },
    },
  };
}
