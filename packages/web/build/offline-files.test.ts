import { expect, it } from "vitest";
import { filesOfAllPages, type BuiltFile } from "./offline-files.ts";

const chunk = (fileName: string, rest: Partial<BuiltFile> = {}): BuiltFile => ({ fileName, type: "chunk", ...rest });

it("lists what any page may load, without the parts that few notes need", () => {
  const built = [
    chunk("assets/index-1.js", {
      isEntry: true,
      facadeModuleId: "/web/index.html",
      imports: ["assets/app-1.js"],
      dynamicImports: ["assets/page-1.js"],
    }),
    chunk("assets/app-1.js"),
    chunk("assets/page-1.js", { dynamicImports: ["assets/dialog-1.js", "assets/python-1.js"] }),
    chunk("assets/dialog-1.js", { facadeModuleId: "/web/src/dialog.tsx", imports: ["assets/app-1.js"] }),
    chunk("assets/python-1.js", { facadeModuleId: "/node_modules/@codemirror/lang-python/dist/index.js" }),
    chunk("assets/diagram-1.js", { isEntry: true, facadeModuleId: "/web/diagram.html" }),
    { fileName: "assets/index-1.css", type: "asset" } as const,
    { fileName: "assets/markdown-worker-1.js", type: "asset" } as const,
    { fileName: "assets/python-2.js", type: "asset" } as const,
  ];
  expect(filesOfAllPages(built, "/index.html")).toEqual({
    entry: "/assets/index-1.js",
    files: [
      "/assets/app-1.js",
      "/assets/dialog-1.js",
      "/assets/index-1.css",
      "/assets/index-1.js",
      "/assets/markdown-worker-1.js",
      "/assets/page-1.js",
    ],
  });
});
