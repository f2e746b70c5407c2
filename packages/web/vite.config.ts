import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { checkFirstScreenBudget } from "./build/first-screen-budget.ts";
import { firstScreenChunks } from "./build/first-screen-chunks.ts";
import { mathFont } from "./build/math-font.ts";
import { offlineFiles } from "./build/offline-files.ts";
import { precompress } from "./build/precompress.ts";
import { withoutPage } from "./build/without-page.ts";

/** Paths that the server handles itself; everything else is a page of the dashboard. */
const SERVER_PATHS = ["/api", "/share", "/docs", "/mcp", "/openapi.json", "/openapi.v1.json"];

/** The pages whose JavaScript before their first data is limited. */
const FIRST_PAGES = ["src/features/home/home-page.tsx", "src/features/tasks/tasks-page.tsx"];

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    checkFirstScreenBudget({
      limitKb: 166,
      pages: FIRST_PAGES,
    }),
    mathFont(),
    offlineFiles("/index.html"),
    precompress(),
  ],
  // The worker for Markdown loads languages and formulas when it needs them.
  worker: { format: "es", plugins: () => [withoutPage()] },
  // The judgement of policies is the hooks' own code.
  resolve: {
    alias: { "node:path": new URL("src/lib/posix-path.ts", import.meta.url).pathname },
  },
  build: {
    target: "es2022",
    // Scripts are never inlined: the server's content security policy forbids it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // The page that draws diagrams, in a frame, is one of its own.
      input: ["index.html", "diagram.html"],
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: firstScreenChunks({ document: "/index.html", entry: "src/main.tsx", pages: FIRST_PAGES }) }],
        },
      },
    },
  },
  server: {
    strictPort: true,
    proxy: Object.fromEntries(
      SERVER_PATHS.map((path) => [
        path,
        { target: process.env["DEV_SERVER_URL"] ?? "http://localhost:3000", ws: true },
      ]),
    ),
  },
});
