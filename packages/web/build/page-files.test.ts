import { expect, test } from "vitest";
import { filesOfPages } from "./page-files.ts";

test("a page's scripts are its own, what they import, and its parts, without those of every page", () => {
  const chunk = (fileName: string, facadeModuleId: string | null, imports: string[] = [], isEntry = false) => ({
    type: "chunk" as const,
    fileName,
    facadeModuleId,
    imports,
    isEntry,
  });
  const built = [
    chunk("index.js", "/web/index.html", ["app.js"], true),
    chunk("app.js", null),
    chunk("home.js", "/src/home/home-page.tsx", ["app.js", "rows.js"]),
    chunk("overview.js", "/src/home/overview.tsx", ["cards.js", "app.js"]),
    chunk("tasks.js", "/src/tasks/tasks-page.tsx", ["rows.js"]),
    chunk("rows.js", null, ["dates.js"]),
    chunk("cards.js", null),
    chunk("dates.js", null),
  ];
  const pages = filesOfPages(built, "/index.html", { home: ["src/home/overview.tsx"] });
  expect([...pages]).toEqual([
    ["home", ["home.js", "overview.js", "rows.js", "cards.js", "dates.js"]],
    ["tasks", ["tasks.js", "rows.js", "dates.js"]],
  ]);
});
