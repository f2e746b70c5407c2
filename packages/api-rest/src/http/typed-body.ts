import type { AnyProcedure, AnyRouter } from "@trpc/server";
import type { Request, RequestHandler } from "express";
import type { Authenticator } from "../auth/authenticator.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import { isDecodable } from "../rest/percent-encoding.ts";
import { metaOf } from "../rest/routes.ts";

export interface TypedBodyOptions {
  readonly router: AnyRouter;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly readBody: { readonly ordinary: JsonBodyReader; readonly content: JsonBodyReader };
}

/**
 * Reads the body of a call of the typed endpoint. Only a signed-in user who calls a procedure that takes content may send as
 * much as content needs, so that strangers cannot make the server read much.
 */
export function createTypedBodyReader({ router, authenticator, readBody }: TypedBodyOptions): RequestHandler {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  const contentProcedures = new Set(
    Object.entries(procedures).flatMap(([name, procedure]) =>
      metaOf(procedure).openapi?.bodyLimit === "content" ? [name] : [],
    ),
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
