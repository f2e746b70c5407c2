import { expect, test } from "vitest";
import * as z from "zod";
import { describeIssues } from "./validation-message.ts";

const messagesOf = (schema: z.ZodType, input: unknown) =>
  describeIssues(schema.safeParse(input).error?.issues ?? []).map(({ path, message }) => `${path}: ${message}`);

const field = (schema: z.ZodType) => z.object({ field: schema });

test.each<[string, z.ZodType, unknown, string]>([
  ["a missing field", z.string(), undefined, "is required"],
  ["null", z.string(), null, "expected a string"],
  ["text for a number", z.number(), "5", "expected a number"],
  ["NaN", z.number(), Number.NaN, "expected a number"],
  ["infinity", z.number(), Infinity, "expected a number"],
  ["a fraction", z.number().int(), 0.5, "expected a whole number"],
  ["a number beyond exact ones", z.number().int(), 2 ** 60, "expected at most 9007199254740991"],
  ["an array for an object", z.object({}), [], "expected an object"],
  ["an object for an array", z.array(z.string()), {}, "expected an array"],
  ["text for a record", z.record(z.string(), z.string()), "a", "expected an object"],
  ["short text", z.string().min(2), "a", "expected at least 2 characters"],
  ["empty text", z.string().min(1), "", "expected at least 1 character"],
  ["long text", z.string().max(5), "abcdef", "expected at most 5 characters"],
  ["text of another length", z.string().length(5), "abc", "expected exactly 5 characters"],
  ["a large number", z.number().max(10), 11, "expected at most 10"],
  ["a number at an open bound", z.number().positive(), 0, "expected more than 0"],
  ["a number at the other open bound", z.number().lt(3), 3, "expected less than 3"],
  ["too many items", z.array(z.string()).max(1), ["a", "b"], "expected at most 1 item"],
  ["no option", z.enum(["a", "b"]), "c", "expected one of a, b"],
  ["another literal", z.literal(true), false, "expected true"],
  ["no UUID", z.uuid(), "a", "expected a UUID"],
  ["no date-time", z.iso.datetime(), "a", "expected an ISO 8601 date-time"],
  ["no date", z.iso.date(), "a", "expected a date as YYYY-MM-DD"],
  ["no address", z.email(), "a", "expected an email address"],
  ["no URL", z.url(), "a", "expected a URL"],
  ["text of another form", z.string().regex(/^a$/), "b", "must match /^a$/"],
  ["text that begins otherwise", z.string().startsWith("a"), "b", "has the wrong format"],
  ["no multiple", z.number().multipleOf(5), 6, "must be a multiple of 5"],
  ["keys of no field", z.strictObject({}), { a: 1, b: 2 }, "has unknown fields: a, b"],
  ["a name that is too long", z.record(z.string().max(1), z.string()), { ab: "" }, "expected at most 1 character"],
  ["no element", z.set(z.string()), new Set([1]), "expected a string"],
  ["what a rule forbids", z.string().refine(() => false), "a", "is not allowed"],
  ["nothing of what is allowed", z.union([z.literal(1), z.literal("two")]), 3, "expected one of 1, two"],
  ["none of several types", z.union([z.string(), z.number(), z.null()]), {}, "expected a string or a number or null"],
  ["a type with a wrong value", z.union([z.string().max(1), z.number()]), "ab", "expected at most 1 character"],
  [
    "an unknown kind",
    z.discriminatedUnion("type", [z.object({ type: z.literal("a") }), z.object({ type: z.literal("b") })]),
    { type: "c" },
    "expected one of a, b",
  ],
  ["text with a message of its own", z.string().min(3, "must be long"), "a", "must be long"],
])("%s: the message says what is allowed", (_what, schema, input, message) => {
  const issues = messagesOf(field(schema), { field: input });
  expect(issues.map((issue) => issue.replace(/^field[.\w]*: /, ""))).toEqual([expect.stringContaining(message)]);
});

test("the path of an issue is dotted", () => {
  expect(messagesOf(field(z.array(field(z.number()))), { field: [{ field: 1 }, { field: "a" }] })).toEqual([
    "field.1.field: expected a number",
  ]);
});
