import type { QueryClient } from "@tanstack/react-query";

/** Under which key the session is known. */
export const SESSION_KEY = ["session"] as const;

/**
 * Whose page this is: of the first user that it has known. The browser may have somebody else's session by now, who has signed in in
 * another tab; what this page holds is still not theirs.
 */
export class PageUser {
  readonly #queries: QueryClient;
  #id: string | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** The user's id; undefined until somebody is signed in. */
  get id(): string | undefined {
    return (this.#id ??= this.#queries.getQueryData<{ readonly id: string } | null>(SESSION_KEY)?.id);
  }

  /** Whether the page has had another user than this one. */
  isNot(userId: string): boolean {
    return this.id !== undefined && this.id !== userId;
  }
}
