import type { Plugin } from "vite";

const PACKAGE = "decode-named-character-reference";

/** In a worker, there is no page to read entities with, as this package does in browsers; it has another file for that. */
export function withoutPage(): Plugin {
  return {
    name: "workspace:without-page",
    enforce: "pre",
    async resolveId(source, importer) {
      if (source !== PACKAGE) return null;
      const resolved = await this.resolve(source, importer, { skipSelf: true });
      return resolved === null ? null : { ...resolved, id: resolved.id.replace(/index\.dom\.js$/, "index.js") };
    },
  };
}
