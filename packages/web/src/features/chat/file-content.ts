/** Models scale larger pictures down themselves, after they were paid for. */
const MAX_SIDE = 2048;
const KEPT_BYTES = 1_000_000;
const QUALITY = 0.9;
const SCALABLE = /^image\/(png|jpeg|webp)$/;
const MAX_BYTES = 5 * 1024 * 1024;

/** What is uploaded of a file, in base64: large pictures are scaled down. Throws an error to be shown if it is too large. */
export async function contentOf(file: File): Promise<{ readonly name: string; readonly content: string }> {
  const uploaded = await scaledDown(file);
  if (uploaded.size > MAX_BYTES) throw new FileTooLargeError();
  const name = uploaded === file ? file.name : `${file.name.replace(/\.[^.]*$/, "")}.jpg`;
  return { name, content: await toBase64(uploaded) };
}

/** A file that is not uploaded, because it would be refused. */
export class FileTooLargeError extends Error {
  constructor() {
    super("An image must be at most 5 MB, and a text 200 KB.");
  }
}

async function scaledDown(file: File): Promise<Blob> {
  if (!SCALABLE.test(file.type)) return file;
  // What the browser cannot show is judged by the server.
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return file;
  try {
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && file.size <= KEPT_BYTES) return file;
    const scaled = await drawn(bitmap, scale);
    return scaled === null || scaled.size >= file.size ? file : scaled;
  } finally {
    bitmap.close();
  }
}

function drawn(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  // JPEG has no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

function toBase64(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const url = typeof reader.result === "string" ? reader.result : "";
      resolve(url.slice(url.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("The file could not be read.")));
    reader.readAsDataURL(content);
  });
}
