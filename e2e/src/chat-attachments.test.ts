import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

const told = () => model.double.requests.at(-1)?.messages.findLast(({ role }) => role === "user");
const LIST = { name: "shopping.md", mimeType: "text/markdown", buffer: Buffer.from("- peas\n- beans\n") };

/** A picture of one colour, or of noise, which compresses badly. */
function png(width: number, height: number, { isNoise = false } = {}): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = () => (isNoise ? randomBytes(width * 3) : Buffer.alloc(width * 3, "\x40\xa0\x60", "latin1"));
  const rows = Buffer.concat(Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), pixels()])));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const attached = (page: Page) => page.getByRole("list", { name: "Attached" });

async function choose(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach images or text files" }).click();
  await (await chooser).setFiles(files);
}

/** Has files dropped or pasted where the message is written, as a person would. */
async function give(page: Page, how: "drop" | "paste", name: string, type: string, bytes: Buffer): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).evaluate(
    (field, given) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(given.base64), (character) => character.codePointAt(0) ?? 0);
      transfer.items.add(new File([content], given.name, { type: given.type }));
      const options = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        given.how === "drop"
          ? new DragEvent("drop", { ...options, dataTransfer: transfer })
          : new ClipboardEvent("paste", { ...options, clipboardData: transfer }),
      );
    },
    { how, name, type, base64: bytes.toString("base64") },
  );
}

it.each(Object.keys(SIZES) as Size[])(
  "a picture and a text are attached, sent and looked at, on a %s",
  async (size) => {
    const { page } = await dashboard.visit({ size });
    await page.goto("/chat");
    const picture = { name: "garden.png", mimeType: "image/png", buffer: png(3000, 200, { isNoise: true }) };
    await choose(page, [picture, LIST]);
    await expect.poll(() => attached(page).getByRole("listitem").count()).toBe(2);
    await page.getByText("The model is shown the picture itself.").waitFor();
    await expect.poll(() => attached(page).locator("img").count()).toBe(1);
    expect(await checkThemes(page, `chat-attaching-${size}`)).toEqual([]);
    // What is attached is kept with the text.
    await page.getByRole("textbox", { name: "Message" }).fill("What grows here?");
    await page.reload();
    await expect.poll(() => attached(page).locator("img").count()).toBe(1);

    model.double.reply({ text: "Peas and beans." });
    await page.getByRole("button", { name: "Send" }).click();
    await waitForAnswer(page, "Peas and beans.");
    expect(told()?.content).toContain('<attached name="shopping.md">\n- peas\n- beans\n\n</attached>');
    // A large picture is scaled down before it is sent.
    expect(told()?.images).toEqual([expect.stringMatching(/^data:image\/jpeg;base64,/)]);
    const question = page.getByRole("article", { name: "You" });
    await expect.poll(() => question.getByRole("list", { name: "Attached" }).locator("img").count()).toBe(1);
    expect(await checkThemes(page, `chat-attached-${size}`)).toEqual([]);
    await question.getByRole("button", { name: "Open garden.jpg" }).click();
    await page.getByRole("dialog", { name: "garden.jpg" }).getByRole("img", { name: "garden.jpg" }).waitFor();
    expect(await checkThemes(page, `chat-attachment-${size}`)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Open shopping.md" }).click();
    await page.getByRole("dialog", { name: "shopping.md" }).getByText("- beans").waitFor();
  },
);

it("a picture is sent without words", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/chat");
  expect(await page.getByRole("button", { name: "Send" }).isDisabled()).toBe(true);
  await give(page, "paste", "herons.png", "image/png", png(8, 8));
  await attached(page).locator("img").waitFor();
  model.double.reply({ text: "Two herons." });
  await page.getByRole("button", { name: "Send" }).click();
  await waitForAnswer(page, "Two herons.");
  expect(told()).toMatchObject({ content: "", images: [expect.any(String)] });
  expect(await checkThemes(page, "chat-picture-alone")).toEqual([]);
});

it("files are dropped and pasted, refused with the reason, tried again, and taken out of a message sent again", async () => {
  const { page, watch } = await dashboard.visit();
  watch.expect(/400 \(Bad Request\).*conversations\.attach|ERR_INTERNET_DISCONNECTED/);
  await page.goto("/chat");
  const field = page.getByRole("textbox", { name: "Message" });
  await give(page, "drop", "list.txt", "text/plain", Buffer.from("peas"));
  await attached(page).getByText("list.txt").waitFor();
  await give(page, "paste", "image.png", "image/png", png(8, 8));
  await attached(page).getByText("image.png").waitFor();
  await give(page, "paste", "page.bin", "application/octet-stream", Buffer.from([0, 1, 2]));
  await page.getByRole("alert").getByText("Only images").waitFor();
  await field.fill("And these?");
  const send = page.getByRole("button", { name: "A file was not attached: try again, or remove it" });
  expect(await send.isDisabled()).toBe(true);
  expect(await checkThemes(page, "chat-attachment-refused")).toEqual([]);
  await page.getByRole("button", { name: "Remove page.bin" }).click();

  await page.context().setOffline(true);
  await give(page, "drop", "late.txt", "text/plain", Buffer.from("beans"));
  await page.getByRole("button", { name: "Try late.txt again" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Try late.txt again" }).click();
  await attached(page).getByText("late.txt").waitFor();
  await page.getByRole("button", { name: "Remove list.txt" }).click();
  await expect.poll(() => attached(page).getByRole("listitem").count()).toBe(2);

  model.double.reply({ text: "Beans." }, { text: "No picture." });
  await page.getByRole("button", { name: "Send" }).click();
  await waitForAnswer(page, "Beans.");
  expect(told()).toMatchObject({ content: expect.stringContaining('name="late.txt"'), images: [expect.any(String)] });
  expect(told()?.content).not.toContain("list.txt");
  const question = page.getByRole("article", { name: "You" });
  await question.hover();
  await question.getByRole("button", { name: "Edit and ask again" }).click();
  await question.page().getByRole("button", { name: "Remove image.png" }).click();
  await page.getByRole("textbox", { name: "Edit the message" }).press("ControlOrMeta+Enter");
  await waitForAnswer(page, "No picture.");
  expect(told()).toMatchObject({ content: expect.stringContaining('name="late.txt"') });
  expect(told()?.images).toBeUndefined();
});
