import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, TooManyRequestsError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { isLoopbackHost } from "../../platform/loopback-host.ts";
import { insertClient, selectClient, type OAuthClient } from "./oauth.queries.ts";

/**
 * Anyone may register programs. Those to which nobody gives access are deleted after a day, and are not more than this: whoever
 * registers many keeps others out no longer than a user may take to decide.
 */
const MAX_UNUSED_CLIENTS = 1_000;
const UNUSED_LIFETIME_MS = 24 * 60 * 60_000;
const CROWDED_LIFETIME_MS = 30 * 60_000;
const MAX_NAME_LENGTH = 200;
const MAX_REDIRECT_URIS = 10;
const MAX_REDIRECT_URI_LENGTH = 2_000;
/** Schemes by which a browser would run or show what is in the URL itself, or read the disk. */
const UNSAFE_SCHEMES = /^(?:javascript|data|vbscript|blob|file|about|view-source|ws|wss|ftp|mailto|tel):$/;
/** Printable ASCII without a fragment. */
const PLAIN_URI = /^[!"$-~]+$/;
/** Characters that are not seen, or that change the direction of what follows, and accents piled up over the text around. */
const MISLEADING = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?<=\p{M}{4})\p{M}/gu;

/** The programs that have registered in order to ask users for access. */
export function createClientRegistry({ db, clock, ids }: Deps<"db" | "clock" | "ids">) {
  return {
    /** Null if there is no such program. */
    async findClient(id: string): Promise<OAuthClient | null> {
      return isUuid(id) ? selectClient(db.pool, id) : null;
    },

    /**
     * Registers a program. Throws {@link InvalidInputError} for a name or URI that cannot be used, and
     * {@link TooManyRequestsError} if too many have registered and were not used.
     */
    async registerClient(name: string, redirectUris: readonly string[]): Promise<OAuthClient> {
      const trimmed = name.replaceAll(MISLEADING, "").slice(0, MAX_NAME_LENGTH).trim();
      const now = clock.now();
      const client = { id: ids(), name: trimmed === "" ? "A program" : trimmed, redirectUris: checkUris(redirectUris) };
      const isStored = await insertClient(
        db.pool,
        { ...client, createdAt: now },
        {
          unusedBefore: new Date(now.getTime() - UNUSED_LIFETIME_MS),
          crowdedBefore: new Date(now.getTime() - CROWDED_LIFETIME_MS),
          maxUnused: MAX_UNUSED_CLIENTS,
        },
      );
      if (!isStored)
        throw new TooManyRequestsError(
          "Too many programs have registered. Try again in half an hour.",
          CROWDED_LIFETIME_MS / 1000,
        );
      return { ...client, createdAt: now.toISOString() };
    },
  };
}

function checkUris(uris: readonly string[]): string[] {
  if (uris.length === 0 || uris.length > MAX_REDIRECT_URIS)
    throw InvalidInputError.at("redirect_uris", `must be 1 to ${MAX_REDIRECT_URIS}`);
  return uris.map((uri) => {
    const url = PLAIN_URI.test(uri) && URL.canParse(uri) ? new URL(uri) : null;
    if (url === null || uri.length > MAX_REDIRECT_URI_LENGTH || UNSAFE_SCHEMES.test(url.protocol))
      throw InvalidInputError.at("redirect_uris", "must be URLs to which a browser can be sent, without a fragment");
    if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
      throw InvalidInputError.at(
        "redirect_uris",
        "must be encrypted (https), unless they are of the user's own machine",
      );
    if (url.username !== "" || url.password !== "")
      throw InvalidInputError.at("redirect_uris", "must not contain a user name");
    return uri;
  });
}
