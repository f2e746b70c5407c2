import type { IncomingFile } from "./uploads.ts";

/** Lets the user choose files of this device. Empty where nothing is chosen. */
export function chooseFiles(): Promise<IncomingFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement("input");
    input.type = "file";
    input.multiple = true;
    input.addEventListener("change", () =>
      resolve([...(input.files ?? [])].map((file) => ({ file, relativePath: file.name }))),
    );
    input.addEventListener("cancel", () => resolve([]));
    input.click();
  });
}
