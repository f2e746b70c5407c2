import type { IncomingFile } from "./uploads.ts";

/** Lets the user pick files from this device. Resolves to an empty list if the dialog is cancelled. */
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
