import { open } from "node:fs/promises";

/** Makes a file's bytes, or a folder's entries, outlive a power cut. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
