export interface ModuleOfGraph {
  readonly importers: readonly string[];
  readonly importedIds: readonly string[];
  readonly isEntry: boolean;
  readonly code: string | null;
}

/** What is asked of the bundler about its modules. */
export interface ModuleGraph {
  getModuleInfo(id: string): ModuleOfGraph | null;
}

export interface FirstScreen {
  /** Path suffix of the document that the pages are shown in. */
  readonly document: string;
  /** Path suffix of the module that every page begins with. */
  readonly entry: string;
  /** Path suffixes of the modules of the pages that a visitor may land on. */
  readonly pages: readonly string[];
}

export interface Parts extends FirstScreen {
  /**
   * What pages load as a whole after a first screen. By the name of a part: path suffixes of the modules that it begins with. All pages
   * load the first one.
   */
  readonly parts: Readonly<Record<string, readonly string[]>>;
}

/** Returns the name of the chunk that a module belongs to; null if this says nothing about it. */
export type ChunkNames = (id: string, graph: ModuleGraph) => string | null;

/** What so many pages load is one chunk for all of them. */
const MANY_PAGES = 4;
/** Before minification. A request of its own costs a page more than loading as much that it does not need. */
const SMALL_CHARACTERS = 2_000;

const PAGE = /-page\.tsx$/;
const FRAMEWORK =
  /\/node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-)?(router|query|history|store)[^/]*|@trpc\/[^/]+)\//;

/** What the index of a package of the framework exports for pages that need it, and no first screen does. */
const LATER = /\/(useQueries|useInfiniteQuery|useMutation|queriesObserver|infiniteQueryObserver|mutationObserver)\.js$/;

/**
 * Names the chunk of each module that loads before a page shows its data, for as few requests as possible, which also compress better:
 * the framework, which changes only with dependency upgrades and is cached across releases; what every page needs; and what one page
 * needs. Null for what loads later.
 */
export function firstScreenChunks({ document, entry, pages }: FirstScreen): ChunkNames {
  const loadersOf = createLoaders(document);
  return (id, graph) => {
    // What begins a page, and style sheets, have files of their own.
    if (id.endsWith(".css") || LATER.test(id) || isOneOf(id, [entry, ...pages])) return null;
    const loaders = loadersOf(id, graph);
    const loadedBy = (suffix: string) => loaders.some((module) => module.endsWith(suffix));
    const [page, other] = loadedBy(entry) ? pages : pages.filter(loadedBy);
    if (page === undefined) return null;
    if (FRAMEWORK.test(id)) return "framework";
    return other === undefined ? `with-${nameOf(page)}` : "app";
  };
}

/**
 * Names the chunk of each module that pages or parts load besides a first screen, by all that load it, so that nothing loads what it does
 * not need. The exception is one chunk of what many pages load, or what several of them load and is small. It needs no other chunk: what
 * a module imports is loaded by no fewer pages, and is no larger. Null for the rest, which the bundler distributes itself.
 */
export function partChunks({ parts, ...screen }: Parts): ChunkNames {
  const loadersOf = createLoaders(screen.document);
  const isSmall = createSmall(firstScreenChunks(screen));
  return (id, graph) => {
    if (id.endsWith(".css") || PAGE.test(id)) return null;
    const loaders = loadersOf(id, graph);
    const pages = new Set(loaders.filter((module) => PAGE.test(module)).map(nameOf));
    const names = Object.keys(parts).filter((name) => loaders.some((module) => isOneOf(module, parts[name] ?? [])));
    const all = [...pages, ...names].toSorted();
    if (all.length === 0) return null;
    if (pages.size >= MANY_PAGES || (all.length > 1 && isSmall(id, graph))) return "common";
    // Every page loads the first of the parts, so that the others may need it.
    const [first = ""] = names;
    return `with-${pages.size === 0 && first === Object.keys(parts)[0] ? first : all.join("+")}`;
  };
}

/** Returns a function that says whether a module is small, with all that it loads besides a first screen. */
function createSmall(firstChunkOf: ChunkNames): (id: string, graph: ModuleGraph) => boolean {
  return (id, graph) => {
    const seen = new Set([id]);
    let size = 0;
    for (const module of seen) {
      if (firstChunkOf(module, graph) !== null) continue;
      const info = graph.getModuleInfo(module);
      size += info?.code?.length ?? 0;
      if (size > SMALL_CHARACTERS) return false;
      info?.importedIds.forEach((imported) => seen.add(imported));
    }
    return true;
  };
}

/** Returns a function that finds all modules that a module loads with, including itself; none if another document loads it too. */
function createLoaders(document: string): (id: string, graph: ModuleGraph) => readonly string[] {
  const known = new Map<string, ReturnType<ModuleGraph["getModuleInfo"]>>();
  const infoOf = (id: string, graph: ModuleGraph) => {
    const info = known.get(id) ?? graph.getModuleInfo(id);
    known.set(id, info);
    return info;
  };
  return (id, graph) => {
    const seen = new Set([id]);
    for (const module of seen) {
      const info = infoOf(module, graph);
      if (info?.isEntry === true && !module.endsWith(document)) return [];
      for (const importer of info?.importers ?? []) seen.add(importer);
    }
    return [...seen];
  };
}

function isOneOf(id: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => id.endsWith(suffix));
}

/** The name of a file, without folders and extension. */
function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
}
