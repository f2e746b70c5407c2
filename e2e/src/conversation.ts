import type { Locator, Page } from "playwright-core";

/** Writes a message and sends it by keyboard. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** The last answer of the open conversation. */
export const lastAnswer = (page: Page): Locator => page.getByRole("article", { name: "Answer" }).last();

/** Waits until the last answer is complete and contains a text. */
export async function waitForAnswer(page: Page, text: string): Promise<void> {
  await page.locator("article[aria-busy=false]").last().getByText(text).first().waitFor();
}
