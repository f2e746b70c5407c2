import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterAll, beforeAll } from "vitest";

/** The double of the language model that all tests of a file share. */
export interface SharedModelDouble {
  /** Only available in tests and hooks. */
  readonly double: ModelDouble;
  /** The environment variables of a server that uses it. */
  settings(): Record<string, string>;
}

/** Starts the double before the tests of a file and closes it afterwards; to be called before the dashboard is set up. */
export function setUpModelDouble(name: string): SharedModelDouble {
  let running: ModelDouble | undefined;
  beforeAll(async () => {
    running = await startModelDouble();
  });
  afterAll(() => running?.close());
  const double = (): ModelDouble => {
    if (running === undefined) throw new Error("The double of the model is only available in tests and hooks.");
    return running;
  };
  return {
    get double() {
      return double();
    },
    settings: () => ({ OPENAI_API_KEY: "key", OPENAI_BASE_URL: double().baseUrl, OPENAI_MODEL: name }),
  };
}
