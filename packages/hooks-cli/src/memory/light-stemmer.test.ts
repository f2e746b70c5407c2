import { expect, test } from "vitest";
import { isStopWord, stem } from "./light-stemmer.ts";

test.each([
  ["release", "releases", "released", "releasing"],
  ["deploy", "deploys", "deployed", "deploying", "deployment", "deployments"],
  ["test", "tests", "tested", "testing", "tester"],
  ["migrate", "migration", "migrations", "migrating"],
  ["query", "queries"],
  ["class", "classes"],
  ["run", "running"],
  ["go", "going"],
  ["use", "used", "using"],
  ["need", "needs", "needed"],
])("%s and its forms have one stem", (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

test.each([
  ["bus", "business"],
  ["use", "user"],
  ["string", "stress"],
  ["naïve", "naïves"],
])("%s and %s are left apart", (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test("words that say nothing are known", () => {
  expect(["the", "should", "release"].map(isStopWord)).toEqual([true, true, false]);
});
