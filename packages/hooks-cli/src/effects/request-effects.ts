import { type GivenArguments, hasOption } from "./argument-pattern.ts";
import { textsOf } from "../shell/word-fields.ts";

/** A request that deletes: by its method, or by the name of what it calls. */
export function effectsOfRequest(given: GivenArguments): readonly string[] {
  const texts = textsOf(given.items);
  if (
    hasOption(given, "-X|--request|--method=DELETE") ||
    texts.includes("DELETE") ||
    texts.some((text) => OVERRIDE.test(text))
  )
    return ["services.http-delete"];
  const changes =
    hasOption(given, "-X|--request|--method=P*") ||
    texts.some((text) => /^(?:POST|PUT|PATCH)$|^(?:-d|-F|--data.*|--json|--form.*|--post-.*)$/.test(text));
  return changes && texts.some(namesDeletion) ? ["services.http-delete"] : [];
}

/** Asks a server to take a request for one that deletes. */
const OVERRIDE = /^X-(?:HTTP-)?Method(?:-Override)?:\s*DELETE\b/i;

/** A URL whose last parts say so, an administrative endpoint of a search engine, or a mutation of GraphQL. */
function namesDeletion(text: string): boolean {
  const [path = ""] = text.split(/[?#]/, 1);
  const parts = path.split("/").slice(-2);
  return (
    parts.some((part) => /(?:^|[_.-])(?:do)?(?:delete|destroy|purge|drop|truncate)(?:$|[_-])/i.test(part)) ||
    /^_(?:close|shutdown)$|^_cluster\/settings$/.test(
      path.endsWith("settings") ? parts.join("/") : (parts.at(-1) ?? ""),
    ) ||
    (/\bmutation\b/.test(text) && /\b(?:delete|destroy|remove)\w*\s*\(/i.test(text))
  );
}
