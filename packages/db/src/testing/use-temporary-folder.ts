import { inject } from "vitest";

/** Has `tmpdir()` return the folder that `set-up-temporary-folder.ts` has created for the project. */
const folder = inject("temporaryFolder");
if (folder !== undefined) process.env["TMPDIR"] = folder;
