import { expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

/** Stands in for the browser's recognition, which needs a microphone and the service of its maker. */
function fakeRecognition(): void {
  class Recognition extends EventTarget {
    start() {
      addEventListener("said", ({ detail }: CustomEventInit<string>) =>
        this.dispatchEvent(
          Object.assign(new Event("result"), { resultIndex: 0, results: [[{ transcript: detail ?? "" }]] }),
        ),
      );
      document.documentElement.dataset["listens"] = "true";
    }
    stop() {
      this.dispatchEvent(new Event("end"));
    }
    abort() {
      delete document.documentElement.dataset["listens"];
    }
  }
  Object.assign(window, { SpeechRecognition: Recognition });
}

it("what is said is written behind what was typed, where the browser recognises speech", async () => {
  const { page } = await dashboard.visit();
  await page.addInitScript(fakeRecognition);
  await page.goto("/chat");
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("Please");
  await page.getByRole("button", { name: "Dictate" }).click();
  await page.locator("html[data-listens]").waitFor();
  await page.evaluate(() => dispatchEvent(new CustomEvent("said", { detail: " buy peas " })));
  await expect.poll(() => field.inputValue()).toBe("Please buy peas");
  await page.getByRole("button", { name: "Stop dictating" }).click();
  await page.getByRole("button", { name: "Dictate" }).waitFor();

  await page.addInitScript(() => {
    Object.assign(window, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined });
  });
  await page.reload();
  await field.waitFor();
  expect(await page.getByRole("button", { name: "Dictate" }).count()).toBe(0);
});
