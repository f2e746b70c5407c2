/** A response as it is received. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export class HttpFormatError extends Error {
  override readonly name = "HttpFormatError";
}

const HEAD_END = Buffer.from("\r\n\r\n");
const MAX_HEAD_BYTES = 64 * 1024;

/**
 * Reads an HTTP/1.1 response from the bytes received so far. Undefined if it is not complete yet. `hasEnded` means that
 * there will be no more bytes, which ends a body without a length. Throws an HttpFormatError if the bytes are not a
 * response.
 */
export function parseHttpResponse(bytes: Buffer, hasEnded: boolean): HttpResponse | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) {
    if (hasEnded || bytes.length > MAX_HEAD_BYTES) throw new HttpFormatError("the server's response is not valid HTTP");
    return undefined;
  }
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (!Number.isInteger(status)) throw new HttpFormatError("the server's response is not valid HTTP");
  const rest = bytes.subarray(headEnd + HEAD_END.length);
  // An interim response is followed by the final one.
  if (status >= 100 && status < 200) return parseHttpResponse(rest, hasEnded);
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).trim().toLowerCase(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const body = readBody(rest, headers, status, hasEnded);
  return body === undefined ? undefined : { status, headers, body: body.toString("utf8") };
}

function readBody(
  rest: Buffer,
  headers: ReadonlyMap<string, string>,
  status: number,
  hasEnded: boolean,
): Buffer | undefined {
  if (status === 204 || status === 304) return Buffer.alloc(0);
  if (/\bchunked\b/i.test(headers.get("transfer-encoding") ?? "")) return readChunks(rest, hasEnded);
  const declared = headers.get("content-length");
  if (declared === undefined) return hasEnded ? rest : undefined;
  const length = Number(declared);
  if (!Number.isInteger(length) || length < 0) throw new HttpFormatError("the server's response has an invalid length");
  if (rest.length >= length) return rest.subarray(0, length);
  if (hasEnded) throw new HttpFormatError("the server's response was cut off");
  return undefined;
}

function readChunks(bytes: Buffer, hasEnded: boolean): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (size === 0) return Buffer.concat(chunks);
    const start = lineEnd + 2;
    if (lineEnd === -1 || bytes.length < start + size + 2) {
      if (hasEnded) throw new HttpFormatError("the server's response was cut off");
      return undefined;
    }
    if (!Number.isInteger(size) || size < 0) throw new HttpFormatError("the server's response has an invalid chunk");
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + 2;
  }
}
