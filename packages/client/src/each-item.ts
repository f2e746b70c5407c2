/** What a client gets for a page of a list. */
export interface ListPage<Item> {
  readonly data?: { readonly data: readonly Item[]; readonly nextCursor?: string | null };
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * All items of a list, page by page as they are needed:
 * `eachItem((cursor) => client.GET("/tasks", { params: { query: { limit: 200, cursor } } }))`. Throws if a page is an error.
 */
export async function* eachItem<Item>(
  readPage: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, error, response } = await readPage(cursor);
    if (data === undefined) throw new Error(messageOf(error, response));
    yield* data.data;
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function messageOf(error: unknown, { status, url }: Response): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof message === "string" ? message : `${url} responded with ${status}.`;
}
