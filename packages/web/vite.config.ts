import { existsSync } from "node:fs";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { checkFirstScreenBudget } from "./build/first-screen-budget.ts";
import { firstScreenChunks, partChunks } from "./build/first-screen-chunks.ts";
import { iconImports } from "./build/icon-imports.ts";
import { mathFont } from "./build/math-font.ts";
import { offlineFiles } from "./build/offline-files.ts";
import { pageFiles } from "./build/page-files.ts";
import { precompress } from "./build/precompress.ts";
import { withoutPage } from "./build/without-page.ts";

/** Paths that the server handles itself; everything else is a page of the dashboard. */
const SERVER_PATHS = ["/api", "/share", "/docs", "/mcp", "/openapi.json", "/openapi.v1.json"];

/** The pages whose JavaScript before their first data is limited. */
const FIRST_PAGES = ["src/features/home/home-page.tsx", "src/features/tasks/tasks-page.tsx"];

/** What pages load as a whole once their first screen is shown; the parts of the frame around all pages come first. */
const PARTS = {
  frame: [
    "src/features/shell/connection-banner.tsx",
    "src/features/shell/bottom-bar.tsx",
    "src/features/outbox/outbox-banner.tsx",
    "src/features/tasks/unsaved-tasks-banner.tsx",
    "src/features/approvals/approval-banner.tsx",
    "src/features/approvals/approval-count.tsx",
    "src/features/documents/session/draft-store.ts",
    "src/features/home/news-count.tsx",
    "src/features/shelf/sidebar-notes.tsx",
    "src/features/views/sidebar-views.tsx",
  ],
  copy: ["src/local-copy/open-copy.ts"],
  tasks: [
    "src/features/tasks/filter-bar.tsx",
    "src/features/tasks/filter-more.tsx",
    "src/features/tasks/layout-choice.tsx",
    "src/features/tasks/snoozed-button.tsx",
    "src/features/tasks/quick-add-form.tsx",
    "src/features/tasks/new-task-chips.tsx",
    "src/features/tasks/bulk-bar.tsx",
    "src/features/tasks/order-shortcuts.tsx",
    "src/features/tasks/row-parts.tsx",
    "src/features/tasks/title-editor.tsx",
    "src/features/tasks/no-tasks.tsx",
  ],
  home: ["src/features/home/overview.tsx", "src/features/home/recent-items.tsx"],
  steps: ["src/features/home/first-steps.tsx"],
  palette: ["src/features/palette/palette.tsx"],
  idle: [
    "src/features/shell/idle-hosts.tsx",
    "src/features/shell/dialog-host.tsx",
    "src/components/floating-host.tsx",
    "src/features/tasks/task-side-panel.tsx",
    "src/features/tasks/new-task-dialog.tsx",
    "src/features/tasks/task-pickers.tsx",
    "src/features/tasks/field-pickers.tsx",
    "src/features/tasks/due-picker.tsx",
    "src/features/tasks/task-picker.tsx",
    "src/features/tasks/read-text.ts",
  ],
};
const CHUNKS = { document: "/index.html", entry: "src/main.tsx", pages: FIRST_PAGES, parts: PARTS };

for (const path of [...FIRST_PAGES, ...Object.values(PARTS).flat()])
  if (!existsSync(new URL(path, import.meta.url))) throw new Error(`There is no module ${path}.`);

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    iconImports(),
    checkFirstScreenBudget({
      limitKb: 150,
      pages: FIRST_PAGES,
    }),
    mathFont(),
    offlineFiles("/index.html"),
    // What Home loads by itself is part of its first screen.
    pageFiles("/index.html", { home: [...PARTS.home, ...PARTS.steps] }),
    precompress(),
  ],
  // The worker for Markdown loads languages and formulas when it needs them.
  worker: { format: "es", plugins: () => [withoutPage()] },
  // The judgement of policies is the hooks' own code.
  resolve: {
    alias: {
      "node:path": new URL("src/lib/posix-path.ts", import.meta.url).pathname,
      // Of CodeMirror: what it searches must not take quadratic time.
      "@marijn/find-cluster-break": new URL("src/lib/cluster-break.ts", import.meta.url).pathname,
      // React has the hook itself, which the shim has for versions before.
      "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector",
    },
  },
  // Scripts and style sheets refer to others by relative URLs, and the page, which has many URLs, by paths: the server may be below a path.
  experimental: {
    renderBuiltUrl(file, { hostType, hostId }) {
      if (hostType !== "html") return { relative: true };
      return hostId.endsWith("diagram.html") ? `./${file}` : undefined;
    },
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
      // Its package does not say so, and has links that no page uses.
      treeshake: { moduleSideEffects: [{ test: /\/@trpc\/client\//, sideEffects: false }] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: firstScreenChunks(CHUNKS), priority: 1 }, { name: partChunks(CHUNKS) }],
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
