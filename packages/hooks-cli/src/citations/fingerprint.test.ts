import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CitedFile, citeLines, citeQuote, findLines, parseFingerprint } from "./fingerprint.ts";

const SOURCE = `import { sleep } from "./sleep.ts";

const MAX_TRIES = 3;

/** Retries what fails. */
export async function retry(call: () => Promise<void>) {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await succeeds(call)) return;
    await sleep({ ms: 100, jitter: true });
  }
}
`;
const FUNCTION = { startLine: 6, endLine: 11 };
const CONSTANT = { startLine: 3, endLine: 3 };

/** Where lines of the source are after a change; undefined if they are gone. */
function trace(changed: string, place = FUNCTION, source = SOURCE) {
  const cited = citeLines(new CitedFile(source), place);
  const fingerprint = parseFingerprint(cited?.fingerprint ?? "");
  if (cited === undefined || fingerprint === undefined) throw new Error("The lines cannot be cited.");
  return findLines(new CitedFile(changed), fingerprint, cited);
}

describe("cited lines", () => {
  test.each([
    ["as they were", SOURCE, FUNCTION],
    ["moved down", `// One\n// Two\n${SOURCE}`, { startLine: 8, endLine: 13 }],
    ["moved up", SOURCE.replace(/^.*\n\n/, ""), { startLine: 4, endLine: 9 }],
    ["beside changed lines", SOURCE.replace("Retries what fails.", "Tries again."), FUNCTION],
    ["indented by tabs", SOURCE.replaceAll("  ", "\t"), FUNCTION],
    ["with other line breaks", SOURCE.replaceAll("\n", "\r\n"), FUNCTION],
    [
      "formatted otherwise",
      SOURCE.replaceAll(";", "")
        .replaceAll('"', "'")
        .replace("{ ms: 100, jitter: true }", "{\n  ms: 100,\n  jitter: true,\n }"),
      { startLine: 6, endLine: 14 },
    ],
  ])("%s are found", (_how, changed, place) => {
    expect(trace(changed)).toEqual(place);
  });

  test.each([
    ["changed", SOURCE.replace("ms: 100", "ms: 200")],
    ["renamed", SOURCE.replace("function retry", "function repeat")],
    ["removed", SOURCE.slice(0, SOURCE.indexOf("export"))],
    ["in part removed", SOURCE.replace("    await sleep({ ms: 100, jitter: true });\n", "")],
  ])("%s are not", (_how, changed) => {
    expect(trace(changed)).toBeUndefined();
  });

  test.each([
    ["commented out", "// const MAX_TRIES = 3;"],
    ["commented out in another language", "# const MAX_TRIES = 3;"],
    ["as a part of others", "const MAX_TRIES = 3 * FACTOR;"],
    ["with another number that begins alike", "const MAX_TRIES = 30;"],
    ["after a negation", "!const MAX_TRIES = 3;"],
  ])("%s are not found", (_how, line) => {
    expect(trace(SOURCE.replace("const MAX_TRIES = 3;", line), CONSTANT)).toBeUndefined();
  });

  test("that occur repeatedly are gone if they occur less often, and moved if not", () => {
    const twice = "one:\n  retries: 3\ntwo:\n  wait: 1\n  retries: 3\n";
    const second = { startLine: 5, endLine: 5 };
    expect(trace(`zero: 0\n${twice}`, second, twice)).toEqual({ startLine: 6, endLine: 6 });
    expect(trace(`zero: 0\n${twice.replace(/3\n$/, "5\n")}`, second, twice)).toBeUndefined();
  });

  test("that say nothing, or are not in the file, cannot be cited", () => {
    expect(citeLines(new CitedFile(SOURCE), { startLine: 11, endLine: 11 })).toBeUndefined();
    expect(citeLines(new CitedFile(SOURCE), { startLine: 100, endLine: 101 })).toBeUndefined();
  });
});

describe("a quote", () => {
  test("is found with other spacing, nearest to where it was", () => {
    expect(citeQuote(new CitedFile(SOURCE), "if ( await succeeds(call) )\n return;", 1)).toMatchObject({
      startLine: 8,
      endLine: 8,
    });
    expect(citeQuote(new CitedFile("a = 12345\nb\na = 12345\n"), "a = 12345", 3)).toMatchObject({
      startLine: 3,
      endLine: 3,
    });
  });

  test("counts by itself among others, and with its whole line if it is a part of something", () => {
    const quoted = citeQuote(new CitedFile(SOURCE), "jitter: true", 1);
    const part = citeQuote(new CitedFile(SOURCE), "tries < MAX_TRIES", 1);
    const find = (cited: typeof quoted, changed: string) => {
      const fingerprint = parseFingerprint(cited?.fingerprint ?? "");
      return cited && fingerprint && findLines(new CitedFile(changed), fingerprint, cited);
    };
    expect(find(quoted, SOURCE.replace("ms: 100", "ms: 200"))).toEqual({ startLine: 9, endLine: 9 });
    expect(find(part, SOURCE)).toEqual({ startLine: 7, endLine: 7 });
    expect(find(part, SOURCE.replace("tries += 1", "tries += 2"))).toBeUndefined();
  });

  test("of what occurs repeatedly rests on all of it", () => {
    const twice = "one:\n  retries: 3\ntwo:\n  retries: 3\n";
    const cited = citeQuote(new CitedFile(twice), "retries: 3", 1);
    const fingerprint = parseFingerprint(cited?.fingerprint ?? "");
    if (cited === undefined || fingerprint === undefined) throw new Error("The quote cannot be cited.");
    expect(findLines(new CitedFile(twice), fingerprint, cited)).toEqual({ startLine: 2, endLine: 2 });
    expect(findLines(new CitedFile(twice.replace(/3\n$/, "5\n")), fingerprint, cited)).toBeUndefined();
  });

  test("that is not there has no fingerprint", () => {
    expect(citeQuote(new CitedFile(SOURCE), "const MIN_TRIES = 3", 1)).toBeUndefined();
  });
});

test("lines of any text are found wherever they move", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => text.replaceAll("\n", " "));
  const lines = fc.array(line, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lines, lines, lines, (before, cited, after) => {
      const source = [...cited, ...after].join("\n");
      const found = citeLines(new CitedFile(source), { startLine: 1, endLine: cited.length });
      const fingerprint = parseFingerprint(found?.fingerprint ?? "");
      if (found === undefined || fingerprint === undefined) return;
      expect(findLines(new CitedFile([...before, source].join("\n")), fingerprint, found)).toBeDefined();
    }),
  );
});
