import fc from "fast-check";
import type { JsonDialect } from "./json-tree.ts";

/** How a document is formatted: everything that a person's editor may do differently. */
interface Writing {
  readonly indent: string;
  readonly lineEnd: string;
  readonly colon: string;
  readonly comma: string;
  readonly hasTrailingCommas: boolean;
  readonly comments: readonly string[];
  readonly isInline: boolean;
}

const EVENTS = ["SessionStart", "PreToolUse", "PostToolUse", "Stop", "UserPromptSubmit", "SessionEnd"];
const KEYS = ["model", "env", "permissions", "statusLine", "theme", "größe", "a b", 'quote"d'];

const scalar = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("ünï 🎉", "C:\\x", "\u0007", "line\nbreak", "//no comment", "/* nor this */"),
);
const plainValue = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom(...KEYS), scalar, { maxKeys: 3 }),
);
const hook = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("echo hi", "./check.sh", "python3 -m x"),
  timeout: fc.integer({ min: 1, max: 60 }),
});
const group = fc.oneof(
  fc.record({ hooks: fc.array(hook, { maxLength: 2 }) }),
  fc.record({
    matcher: fc.constantFrom("*", "Bash", "Edit|Write"),
    hooks: fc.array(hook, { minLength: 1, maxLength: 2 }),
  }),
);
const hooks = fc.dictionary(fc.constantFrom(...EVENTS), fc.array(group, { maxLength: 3 }), { maxKeys: 4 });
const settings = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...KEYS), plainValue, { maxKeys: 5 }),
    fc.option(hooks, { nil: undefined }),
    fc.boolean(),
  )
  .map(([rest, own, isFirst]) =>
    own === undefined ? rest : isFirst ? { hooks: own, ...rest } : { ...rest, hooks: own },
  );

function writing(dialect: JsonDialect): fc.Arbitrary<Writing> {
  const comments =
    dialect === "jsonc"
      ? fc.array(fc.constantFrom("// note", "/* block */", "// ends with a comma,", "/* two\n lines */"), {
          maxLength: 4,
        })
      : fc.constant([]);
  return fc.record({
    indent: fc.constantFrom("  ", "    ", "\t", " ", "   "),
    lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
    colon: fc.constantFrom(": ", ":", " : ", ":  "),
    comma: fc.constantFrom(",", ", "),
    hasTrailingCommas: dialect === "jsonc" ? fc.boolean() : fc.constant(false),
    comments,
    isInline: fc.boolean(),
  });
}

/** A settings file as someone may have it: any content, any formatting, possibly empty. */
export function settingsDocument(dialect: JsonDialect): fc.Arbitrary<string> {
  return fc
    .tuple(
      settings,
      writing(dialect),
      fc.constantFrom("", "\n", "\n\n", " "),
      fc.constantFrom("", "", "", "\uFEFF", "\n"),
    )
    .map(
      ([value, how, end, start]) => start + new DocumentWriter(how).write(value) + end.replaceAll("\n", how.lineEnd),
    );
}

class DocumentWriter {
  readonly #how: Writing;
  #comments: string[];

  constructor(how: Writing) {
    this.#how = how;
    this.#comments = [...how.comments];
  }

  write(value: unknown, depth = 0): string {
    if (Array.isArray(value))
      return this.#container(
        "[",
        "]",
        value.map((item: unknown) => this.write(item, depth + 1)),
        depth,
      );
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}${this.#how.colon}${this.write(item, depth + 1)}`,
    );
    return this.#container("{", "}", members, depth);
  }

  #container(open: string, close: string, elements: readonly string[], depth: number): string {
    const { indent, lineEnd, comma, isInline, hasTrailingCommas } = this.#how;
    const isOneLine = isInline || (depth > 2 && elements.length < 2);
    if (elements.length === 0)
      return isInline ? open + close : `${open}${depth % 2 === 0 ? "" : lineEnd + indent.repeat(depth)}${close}`;
    const trailing = hasTrailingCommas ? "," : "";
    if (isOneLine) return `${open}${elements.join(comma)}${trailing}${close}`;
    const inner = indent.repeat(depth + 1);
    const lines = elements.map((element, index) => {
      const isLast = index === elements.length - 1;
      const comment = this.#comments.pop();
      return `${inner}${element}${isLast ? trailing : ","}${comment === undefined ? "" : ` ${comment.replaceAll("\n", lineEnd)}`}`;
    });
    return `${open}${lineEnd}${lines.join(lineEnd)}${lineEnd}${indent.repeat(depth)}${close}`;
  }
}
