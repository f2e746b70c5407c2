import type * as z from "zod";
import type { InputIssue } from "./errors.ts";

/** Says what is wrong with an input in the contract's words: the field, and what is allowed there. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): InputIssue[] {
  return issues.map((issue) => ({ path: issue.path.map(String).join("."), message: describeIssue(issue) }));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") {
    return issue.message.endsWith("received undefined") ? "is required" : `expected ${withArticle(issue.expected)}`;
  }
  if (issue.code === "invalid_value") {
    const allowed = issue.values.map(String).join(", ");
    return issue.values.length === 1 ? `expected ${allowed}` : `expected one of ${allowed}`;
  }
  const isZodsOwnWords = /^Too (big|small):/.test(issue.message);
  if (isZodsOwnWords && issue.code === "too_big")
    return `expected at most ${describeBound(issue.maximum, issue.origin)}`;
  if (isZodsOwnWords && issue.code === "too_small")
    return `expected at least ${describeBound(issue.minimum, issue.origin)}`;
  return issue.message;
}

function describeBound(bound: number | bigint, origin: string): string {
  const unit = origin === "string" ? " characters" : origin === "array" ? " items" : "";
  return `${String(bound)}${unit}`;
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}
