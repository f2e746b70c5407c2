/** What is asked of the bundler about its modules. */
export interface ModuleGraph {
  getModuleInfo(id: string): { readonly importers: readonly string[]; readonly isEntry: boolean } | null;
}

export interface FirstScreen {
  /** Path suffix of the document that the pages are shown in. */
  readonly document: string;
  /** Path suffix of the module that every page begins with. */
  readonly entry: string;
  /** Path suffixes of the modules of the pages that a visitor may land on. */
  readonly pages: readonly string[];
}

const FRAMEWORK =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-)?(router|query|history|store)[^/]*|@trpc\/[^/]+)\//;

/**
 * Names the chunk of each module that loads before a page shows its data, for as few requests as possible, which also compress better:
 * the framework, which changes only with dependency upgrades and is cached across releases; what every page needs; and what one page
 * needs. Null for what loads later, which the bundler distributes itself.
 */
export function firstScreenChunks({
  document,
  entry,
  pages,
}: FirstScreen): (id: string, graph: ModuleGraph) => string | null {
  const known = new Map<string, ReturnType<ModuleGraph["getModuleInfo"]>>();
  const infoOf = (id: string, graph: ModuleGraph) => {
    const info = known.get(id) ?? graph.getModuleInfo(id);
    known.set(id, info);
    return info;
  };

  /** The pages that load a module with them: all if the entry does, none if another document does too. */
  function pagesWith(id: string, graph: ModuleGraph): readonly string[] {
    const seen = new Set([id]);
    const found = new Set<string>();
    for (const module of seen) {
      const info = infoOf(module, graph);
      if (info?.isEntry === true && !module.endsWith(document)) return [];
      if (module.endsWith(entry)) pages.forEach((page) => found.add(page));
      const page = pages.find((suffix) => module.endsWith(suffix));
      if (page !== undefined) found.add(page);
      for (const importer of info?.importers ?? []) seen.add(importer);
    }
    return [...found];
  }

  return (id, graph) => {
    // What begins a page, and style sheets, have files of their own.
    if (id.endsWith(".css") || [entry, ...pages].some((suffix) => id.endsWith(suffix))) return null;
    const [page, other] = pagesWith(id, graph);
    if (page === undefined) return null;
    if (FRAMEWORK.test(id)) return "framework";
    return other === undefined ? `with-${nameOf(page)}` : "app";
  };
}

/** The name of a file, without folders and extension. */
function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
