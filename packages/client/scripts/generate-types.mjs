/** Writes the types of the API from its OpenAPI document. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTypescript, { astToString } from "openapi-typescript";

const packageDir = join(import.meta.dirname, "..");
const document = JSON.parse(await readFile(join(packageDir, "../../docs/openapi.v1.json"), "utf8"));
const generatedDir = join(packageDir, "src/generated");
await mkdir(generatedDir, { recursive: true });
await writeFile(join(generatedDir, "api.ts"), astToString(await openapiTypescript(document)));
