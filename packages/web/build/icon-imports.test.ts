import { expect, test } from "vitest";
import { importIconsByFile, readIconFiles } from "./icon-imports.ts";

const INDEX = `
import * as index from './icons/index.mjs';
export { index as icons };
export { default as Home, default as House } from './icons/house.mjs';
export { default as FilePlus2 } from './icons/file-plus-corner.mjs';
export { default as Icon } from './Icon.mjs';`;

test("the names of icons lead to their files", () => {
  expect([...readIconFiles(INDEX)]).toEqual([
    ["Home", "house"],
    ["House", "house"],
    ["FilePlus2", "file-plus-corner"],
  ]);
});

test.each([
  ['import { House } from "lucide-react";', 'import House from "lucide-react/icons/house";'],
  [
    "import {\n  FilePlus2,\n  Home as Start,\n} from 'lucide-react'",
    'import FilePlus2 from "lucide-react/icons/file-plus-corner"; import Start from "lucide-react/icons/house";',
  ],
  [
    'import { Icon, House } from "lucide-react";',
    'import House from "lucide-react/icons/house"; import { Icon } from "lucide-react";',
  ],
  ['import { House } from "./house.ts";', 'import { House } from "./house.ts";'],
])("%s", (code, expected) => {
  expect(importIconsByFile(code, readIconFiles(INDEX))).toBe(expected);
});
