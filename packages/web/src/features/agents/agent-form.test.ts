import { describe, expect, it } from "vitest";
import { formOf, problemsOf, toInput } from "./agent-form.ts";

const WRITTEN = { ...formOf(null, "Europe/Berlin"), name: " Report ", prompt: "Write it." };

describe("the form of an agent", () => {
  it("starts with a budget, so that nobody is surprised by a bill, and with what only reads", () => {
    expect(toInput(WRITTEN)).toEqual({
      name: "Report",
      prompt: "Write it.",
      schedule: "0 9 * * *",
      timezone: "Europe/Berlin",
      allowDestructive: false,
      maxTurns: 50,
      maxBudgetUsd: 0.5,
      dailyBudgetUsd: 2,
    });
  });

  it("takes an empty budget for none, and a comma for a point", () => {
    const { maxBudgetUsd, dailyBudgetUsd } = toInput({ ...WRITTEN, maxBudget: " ", dailyBudget: "1,25" });
    expect([maxBudgetUsd, dailyBudgetUsd]).toEqual([null, 1.25]);
  });

  it("says what is wrong, field by field", () => {
    expect(problemsOf(WRITTEN)).toEqual({});
    const wrong = { ...WRITTEN, name: " ", prompt: "", maxTurns: "0", maxBudget: "-1", dailyBudget: "much" };
    expect(Object.keys(problemsOf(wrong))).toEqual(["name", "prompt", "maxTurns", "maxBudget", "dailyBudget"]);
  });
});
