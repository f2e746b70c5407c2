import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Plugin } from "vite";

const NAME = "fonts/stix-two-math.woff2";
const SOURCE = "@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2";

/** Serves the font of formulas at a URL that shared pages, which have no build of their own, can name, too. */
export function mathFont(): Plugin {
  const path = createRequire(import.meta.url).resolve(SOURCE);
  return {
    name: "workspace:math-font",
    configureServer({ middlewares }) {
      middlewares.use(`/${NAME}`, (_req, res) => res.end(readFileSync(path)));
    },
    generateBundle(_options, bundle) {
      this.emitFile({ type: "asset", fileName: NAME, source: readFileSync(path) });
      // Relative to the style sheet, which is in a folder of its own.
      for (const file of Object.values(bundle))
        if (file.type === "asset" && file.fileName.endsWith(".css"))
          file.source = String(file.source).replaceAll(`url(/${NAME})`, `url(../${NAME})`);
    },
  };
}
