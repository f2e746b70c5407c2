import type { Locator, Page } from "playwright-core";

/** Pastes a generated image into a text, as if from the clipboard. */
export async function pasteImage(editor: Locator): Promise<void> {
  await editor.evaluate(async (element) => {
    const canvas = document.createElement("canvas");
    canvas.width = 120;
    canvas.height = 80;
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const transfer = new DataTransfer();
    if (blob !== null) transfer.items.add(new File([blob], "image.png", { type: "image/png" }));
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
  });
}

/** Drops a file from outside the browser on the file tree. */
export async function dropFile(page: Page, name: string, content: string | Buffer, type: string): Promise<void> {
  const target = page.getByRole("tree", { name: "Files" }).locator("..");
  const transfer = await page.evaluateHandle(
    (file) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(file.bytes)], file.name, { type: file.type }));
      return data;
    },
    { name, bytes: [...Buffer.from(content)], type },
  );
  await target.dispatchEvent("dragover", { dataTransfer: transfer });
  await target.dispatchEvent("drop", { dataTransfer: transfer });
}
