import type { Plugin } from "vite";

/** What decides which files of a build are needed to open any page without a server. */
export interface BuiltFile {
  readonly fileName: string;
  readonly type: "chunk" | "asset";
  /** Files that load with this one, and those that load when they are needed. */
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly facadeModuleId?: string | null;
  readonly isEntry?: boolean;
}

/** Not worth keeping unless it is used: the colours of each programming language, and what draws diagrams. */
const SELDOM = /\/(@codemirror\/(lang-|legacy-modes)|@lezer\/|mermaid|elkjs|cytoscape)/;
/** Style sheets, and the workers, which the bundler builds apart. */
const ASSETS = /\.css$|worker-[^/]*\.js$/;

/** The files of all pages of the dashboard, and the one that begins them. */
export function filesOfAllPages(built: readonly BuiltFile[], document: string): { entry: string; files: string[] } {
  const byName = new Map(built.map((file) => [file.fileName, file]));
  const entry = built.find(({ isEntry, facadeModuleId }) => isEntry === true && facadeModuleId?.endsWith(document));
  if (entry === undefined) throw new Error(`No chunk was built for ${document}.`);
  const files = new Set([entry.fileName]);
  // Sets are iterated with what is added meanwhile.
  for (const name of files) {
    const { imports = [], dynamicImports = [] } = byName.get(name) ?? {};
    imports.forEach((file) => files.add(file));
    dynamicImports
      .filter((file) => !SELDOM.test(byName.get(file)?.facadeModuleId ?? ""))
      .forEach((file) => files.add(file));
  }
  built
    .filter(({ type, fileName }) => type === "asset" && ASSETS.test(fileName))
    .forEach((file) => files.add(file.fileName));
  return { entry: `/${entry.fileName}`, files: [...files].toSorted().map((file) => `/${file}`) };
}

/** Writes the list of files that the service worker keeps, so that every page opens while the server is away. */
export function offlineFiles(document: string): Plugin {
  return {
    name: "workspace:offline-files",
    apply: "build",
    generateBundle: {
      // By then, chunks of nothing but style sheets have been removed.
      order: "post",
      handler(_options, bundle) {
        const source = JSON.stringify(filesOfAllPages(Object.values(bundle), document));
        this.emitFile({ type: "asset", fileName: "offline-files.json", source });
      },
    },
  };
}
