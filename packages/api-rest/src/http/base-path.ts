import type { RequestListener } from "../observing/observed-requests.ts";

/** The path below which everything is at the public URL `baseUrl`, such as `/workspace`; empty if that is a host's root. */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/**
 * The target of a request without the base path, which is all that the rest of the server knows. A target outside of it stays as it is:
 * what is on the same machine, such as a health check, need not know the path, and some proxies remove it.
 */
export function withoutBasePath(target: string, basePath: string): string {
  return basePath !== "" && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
}

/** Serves requests as if the base path were not in their URLs. */
export function serveWithoutBasePath(basePath: string, serve: RequestListener): RequestListener {
  if (basePath === "") return serve;
  return (req, res) => {
    req.url = withoutBasePath(req.url ?? "", basePath);
    serve(req, res);
  };
}

/** Puts the base path before the paths to which HTML of ours refers. */
export function addBasePath(html: string, basePath: string): string {
  return html.replaceAll(/\b(href|src)="(?=\/)/g, `$1="${basePath}`);
}
