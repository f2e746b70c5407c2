import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer } from "./test-server.ts";

const YEARLY = "0 0 29 2 *";

let model: ModelDouble;

beforeAll(async () => {
  model = await startModelDouble();
});
afterAll(() => model.close());

describe("starting an agent", () => {
  test("is 503 and names the settings; everything else works, without a model", async () => {
    const bare = await startTestServer();
    try {
      const { body } = await bare.withToken("POST", "/api/agents", {
        body: { name: "A", schedule: YEARLY, prompt: "P" },
      });
      const response = await bare.withToken("POST", `/api/agents/${body.data.id}/run`);
      expect(response.status).toBe(503);
      expect(response.body).toEqual({
        statusCode: 503,
        statusMessage: "Service Unavailable",
        message: expect.stringMatching(/OPENAI_API_KEY and OPENAI_MODEL/),
      });
      expect((await bare.withToken("GET", "/api/agents")).status).toBe(200);
    } finally {
      await bare.close();
    }
  });

  test("is 402 if the day's budget does not cover a call, and no call is made", async () => {
    const capped = await startTestServer({
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: "gpt-5-mini",
      DAILY_BUDGET_USD: "0.000001",
    });
    try {
      const { body } = await capped.withToken("POST", "/api/agents", {
        body: { name: "A", schedule: YEARLY, prompt: "P" },
      });
      const response = await capped.withToken("POST", `/api/agents/${body.data.id}/run`);
      expect([response.status, response.body.statusMessage]).toEqual([402, "Payment Required"]);
      expect((await capped.withToken("GET", "/api/usage/budget")).body.data).toMatchObject({
        limitUsd: 0.000001,
        spentUsd: 0,
      });
      expect(model.requests).toEqual([]);
    } finally {
      await capped.close();
    }
  });
});
