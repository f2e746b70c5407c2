import { readFile } from "node:fs/promises";
import { NotFoundError } from "@workspace/core";
import type { RequestHandler } from "express";

/**
 * `GET /workspace-hooks.tgz`: the hooks CLI as a package that npm can run from this address, so that another machine needs nothing but
 * Node. It is the same for everybody and contains no secrets, so anybody may download it.
 */
export function createHooksPackageRoute(path: string): RequestHandler {
  return async (_req, res) => {
    const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new NotFoundError("The hooks CLI has not been built here.") : error;
    });
    res.writeHead(200, {
      "Content-Type": "application/gzip",
      "Content-Length": bytes.byteLength,
      "Cache-Control": "no-cache",
    });
    res.end(bytes);
  };
}
