import { serializeSignedCookie } from "better-call";
import { expect, it } from "vitest";
import { createSignedCookie } from "./signed-cookie.ts";

const NAME = "__Secure-session";
const SECRET = "a secret of some length";
const cookie = createSignedCookie(NAME, SECRET);

/** The header that a browser sends for a cookie set by the library. */
async function signedHeader(token: string, secret = SECRET): Promise<string> {
  const [header = ""] = (await serializeSignedCookie(NAME, token, secret, { path: "/" })).split(";");
  return header;
}

it("reads the token of a cookie signed by the library", async () => {
  const header = await signedHeader("one.token/with+odd=characters");
  expect(await cookie.readValue(header)).toBe("one.token/with+odd=characters");
  expect(await cookie.readValue(`other=1; ${header}`)).toBe("one.token/with+odd=characters");
});

it("reads nothing from a cookie that is missing, altered, truncated, or signed with another secret", async () => {
  const header = await signedHeader("token");
  for (const other of [
    "",
    `${NAME}=`,
    `${NAME}=token`,
    `${NAME}=%E0%A4%A`,
    header.replace("token", "other"),
    header.slice(0, -4),
    `${header}x`,
    await signedHeader("token", "another secret of some length"),
  ]) {
    expect(await cookie.readValue(other)).toBeNull();
  }
});
