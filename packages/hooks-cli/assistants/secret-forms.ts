/** The forms in which a program could print a value. */
export function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    encodeURIComponent(encodeURIComponent(value)),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    bytes.toString("base64url"),
    // Its bits are at other places, depending on what is before.
    ...["", "a", "ab"].map((start) => Buffer.from(`${start}${value}c`).toString("base64")),
  ];
}
