import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { TRPCError } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { expect, test } from "vitest";
import { toTrpcErrorCode } from "./trpc-error-code.ts";

test("the status of every tRPC code maps back to that code", () => {
  const codes = Object.keys(TRPC_ERROR_CODES_BY_KEY).filter(isCode);
  for (const code of codes.filter((name) => name !== "PARSE_ERROR")) {
    expect(toTrpcErrorCode(getHTTPStatusCodeFromError(new TRPCError({ code })))).toBe(code);
  }
});

test.each([
  [416, "BAD_REQUEST"],
  [418, "BAD_REQUEST"],
  [500, "INTERNAL_SERVER_ERROR"],
  [507, "INTERNAL_SERVER_ERROR"],
])("%i, which has no code of its own, maps to %s", (status, code) => {
  expect(toTrpcErrorCode(status)).toBe(code);
});

function isCode(name: string): name is keyof typeof TRPC_ERROR_CODES_BY_KEY {
  return name in TRPC_ERROR_CODES_BY_KEY;
}
