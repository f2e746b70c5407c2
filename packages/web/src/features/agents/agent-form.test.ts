import { describe, expect, it } from "vitest";
import { formOf, problemsOf, toInput } from "./agent-form.ts";

const FILLED_IN = { ...formOf(null, "Europe/Berlin"), name: " Report ", prompt: "Write it." };

describe("the form of an agent", () => {
  it("starts with a budget, so that nobody is surprised by a bill, and with read-only tools", () => {
    expect(toInput(FILLED_IN)).toEqual({
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

  it("reads an empty budget as none, and a comma as a decimal point", () => {
    const { maxBudgetUsd, dailyBudgetUsd } = toInput({ ...FILLED_IN, maxBudget: " ", dailyBudget: "1,25" });
    expect([maxBudgetUsd, dailyBudgetUsd]).toEqual([null, 1.25]);
  });

  it("reports problems field by field", () => {
    expect(problemsOf(FILLED_IN)).toEqual({});
    const wrong = { ...FILLED_IN, name: " ", prompt: "", maxTurns: "0", maxBudget: "-1", dailyBudget: "much" };
    expect(Object.keys(problemsOf(wrong))).toEqual(["name", "prompt", "maxTurns", "maxBudget", "dailyBudget"]);
  });
});
