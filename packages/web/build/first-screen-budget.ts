import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The part of a built chunk that decides what a page loads. */
export interface BuiltChunk {
  readonly fileName: string;
  readonly code: string;
  /** Files that load with this one. */
  readonly imports: readonly string[];
  readonly facadeModuleId?: string | null;
  readonly isEntry: boolean;
}

export interface Budget {
  readonly limitKb: number;
  /** Path suffixes of the modules of the pages that a visitor may land on. */
  readonly pages: readonly string[];
}

/** The files that load before a page can show data: the entry, the page, and everything the two import. */
export function filesBeforeFirstScreen(chunks: readonly BuiltChunk[], page: string): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const files = new Set<string>();
  const visit = (fileName: string) => {
    if (files.has(fileName)) return;
    files.add(fileName);
    byName.get(fileName)?.imports.forEach(visit);
  };
  const pageChunk = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(page) === true);
  if (pageChunk === undefined) throw new Error(`No chunk was built for ${page}: is the page loaded lazily?`);
  for (const chunk of chunks) if (chunk.isEntry && !isOtherPage(chunk)) visit(chunk.fileName);
  visit(pageChunk.fileName);
  return files;
}

/** Whether a chunk is the entry of an HTML page other than the dashboard's. */
function isOtherPage({ facadeModuleId }: BuiltChunk): boolean {
  return facadeModuleId?.endsWith(".html") === true && !facadeModuleId.endsWith("/index.html");
}

/** Prints the gzip size of the JavaScript before each first screen, and fails the build above the limit. */
export function checkFirstScreenBudget({ limitKb, pages }: Budget): Plugin {
  return {
    name: "workspace:first-screen-budget",
    apply: "build",
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      for (const page of pages) {
        const files = filesBeforeFirstScreen(chunks, page);
        const sizeKb = chunks
          .filter((chunk) => files.has(chunk.fileName))
          .reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length / 1000, 0);
        this.info(`${sizeKb.toFixed(1)} KB of JavaScript (gzip, limit ${limitKb}) before ${page} shows data`);
        if (sizeKb > limitKb) this.error(`The first screen's JavaScript is above its budget of ${limitKb} KB: ${page}`);
      }
    },
  };
}
