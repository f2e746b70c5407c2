import type { RoutedOperation, Services } from "@workspace/core";
import type { Request, RequestHandler } from "express";
import type { Authenticator } from "../auth/authenticator.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import { isDecodable } from "../rest/percent-encoding.ts";

export interface TypedBodyOptions {
  readonly operations: readonly RoutedOperation<Services>[];
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
}

/**
 * Reads the body of a call to the typed endpoint. The higher limit for content only applies to signed-in users who call a
 * procedure that takes content, so that strangers cannot make the server read much.
 */
export function createTypedBodyReader({ operations, authenticator, readBody }: TypedBodyOptions): RequestHandler {
  const contentProcedures = new Set(
    operations.flatMap(({ name, route }) => (route.bodyLimit === "content" ? [name] : [])),
  );

  return (req, res, next) => {
    const read = async (): Promise<void> => {
      const isContent = namesOf(req).some((name) => contentProcedures.has(name));
      const user = isContent ? await authenticator.authenticate(req, res) : null;
      await (user === null ? readBody.ordinary : readBody.content)(req, res);
    };
    read().then(
      () => next(),
      (error: unknown) => next(error),
    );
  };
}

/** The procedures that a request names, one or a batch, in the part of its path that tRPC takes them from. */
function namesOf({ path }: Request): string[] {
  const names = path.slice(path.lastIndexOf("/") + 1);
  return isDecodable(names) ? decodeURIComponent(names).split(",") : [];
}
