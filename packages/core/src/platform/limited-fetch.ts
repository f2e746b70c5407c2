/** How much of a response may be waiting to be understood. */
export interface ResponseLimit {
  readonly maxBytes: number;
  /** A whole response, or a line of one that is understood line by line. */
  readonly of: "response" | "line";
}

const LINE_FEED = 10;

/** Fetches, and ends a response that exceeds the limit with an error: another server must not exhaust the memory. */
export function createLimitedFetch(limit: ResponseLimit): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    return new Response(response.body.pipeThrough(createLimiter(limit)), response);
  };
}

function createLimiter({
  maxBytes,
  of,
}: ResponseLimit): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const lineEnd = of === "line" ? chunk.lastIndexOf(LINE_FEED) : -1;
      bytes = lineEnd === -1 ? bytes + chunk.byteLength : chunk.byteLength - lineEnd - 1;
      if (bytes > maxBytes) throw new Error(`A ${of} is longer than ${maxBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
}
