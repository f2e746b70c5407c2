import { describe, expect, test } from "vitest";
import * as z from "zod";
import { planQuery, readQuery } from "./query-coercion.ts";

const plan = planQuery(
  z.object({
    text: z.string().optional(),
    count: z.number().default(5),
    flag: z.boolean().nullish(),
    kinds: z.array(z.enum(["a", "b"])).optional(),
    numbers: z.array(z.number()).optional(),
  }),
);

describe("readQuery", () => {
  test.each<[string, object]>([
    ["", {}],
    ["text=5&count=5&flag=true", { text: "5", count: 5, flag: true }],
    ["flag=false", { flag: false }],
    ["kinds=a", { kinds: ["a"] }],
    ["kinds=a&kinds=b", { kinds: ["a", "b"] }],
    ["numbers=1&numbers=-2.5", { numbers: [1, -2.5] }],
    ["text=a%20b+c", { text: "a b c" }],
  ])("reads %j", (query, expected) => {
    expect(readQuery(query, plan)).toEqual(expected);
  });

  test.each<[string, object]>([
    ["flag=1", { flag: "1" }],
    ["flag=TRUE", { flag: "TRUE" }],
    ["count=", { count: "" }],
    ["count=1e3", { count: "1e3" }],
    ["count=NaN", { count: "NaN" }],
  ])("leaves %j for the schema to refuse", (query, expected) => {
    expect(readQuery(query, plan)).toEqual(expected);
  });

  test.each(["other=1", "Text=a", "kinds[]=a", "text=a&=", "__proto__=a"])(
    "refuses %j, which it does not know",
    (query) => {
      expect(() => readQuery(query, plan)).toThrow("Unknown parameter");
    },
  );

  test("refuses path parameters in the query string as unknown", () => {
    const planWithPath = planQuery(z.object({ id: z.string(), limit: z.number() }), ["id"]);
    expect(() => readQuery("id=1", planWithPath)).toThrow('Unknown parameter "id"');
  });

  test("refuses a repeated parameter that may not be repeated", () => {
    expect(() => readQuery("text=a&text=b", plan)).toThrow("text: is given more than once");
  });
});
