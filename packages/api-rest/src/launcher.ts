import { join } from "node:path";
import { startProgram } from "./compiled-program.ts";
import type * as Main from "./main.ts";

/** A digest of the server's program, set by the build. */
declare const PROGRAM_ID: string;

/** Starts the built server: `main.ts`, bundled as a program. */
const program = startProgram(join(import.meta.dirname, "server.cjs"), PROGRAM_ID);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The program is `main.ts`.
const { isServing } = program.exports as typeof Main;
// By then, everything that a start needs has been compiled.
if (await isServing) await program.storeCode();
