import type { ServerResponse } from "node:http";
import type { RouteMeta } from "@workspace/core";

/** Where the rules of deprecation and all changes are described. */
const CHANGES_PAGE = "/docs#guide-versions";

/** Says with a response that its route is deprecated (RFC 9745), and when it ends (RFC 8594). */
export function setDeprecation(res: ServerResponse, { deprecation }: Pick<RouteMeta, "deprecation">): void {
  if (deprecation === undefined) return;
  const { since, sunset } = deprecation;
  res.setHeader("Deprecation", `@${Date.parse(since) / 1000}`);
  if (sunset !== undefined) res.setHeader("Sunset", new Date(sunset).toUTCString());
  res.setHeader("Link", `<${CHANGES_PAGE}>; rel="deprecation"; type="text/html"`);
}
