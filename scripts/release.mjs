/**
 * `npm run release -- <folder>`: builds what is needed and collects what a server runs on in a new folder, about 100 MB with the
 * embedded database. There it starts with Node alone, without the network; `npm start` and `npm run workspace` work as in a checkout.
 */
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { collectRelease } from "./collect-release.mjs";
import { prepare } from "./prepare.mjs";

const given = process.argv.at(2);
if (given === undefined) fail("Name the folder to create: npm run release -- <folder>");
const target = resolve(process.env.INIT_CWD ?? process.cwd(), given);
if (existsSync(target) && readdirSync(target).length > 0) fail(`${target} is not empty.`);

prepare();
collectRelease(target);
process.stdout.write(`Released to ${target}\n`);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
