import type { Client } from "../../client/client.ts";
import { isImagePath } from "./document.ts";
import { childOf, nameOf, parentOf } from "./vault/vault-path.ts";
import { uploads } from "./files/uploads.ts";

const FOLDER = "attachments";
const PASTED_IMAGE = /^image\.(png|jpe?g|gif|webp)$/i;

/** Saves files that were inserted into a note beside it, and returns the Markdown that embeds or links them. */
export async function attachFiles(
  client: Client,
  files: readonly File[],
  notePath: string,
  now: Date,
): Promise<string> {
  const folder = childOf(parentOf(notePath), FOLDER);
  const incoming = files.map((file) => ({ file, relativePath: nameFor(file, now) }));
  const paths = await uploads(client).add(incoming, folder);
  // Each is followed by a line break, so that the caret ends up below an image and not in its Markdown.
  return paths.map((path) => `${toMarkdown(path)}\n`).join("");
}

/** Browsers name every pasted picture "image.png"; a timestamp makes the names unique. */
function nameFor({ name }: File, now: Date): string {
  const extension = PASTED_IMAGE.exec(name)?.[1];
  if (extension === undefined) return name;
  return `Pasted ${now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".")}.${extension}`;
}

function toMarkdown(path: string): string {
  const name = nameOf(path);
  const label = name.replaceAll(/[[\]]/g, "");
  const target = [FOLDER, name].map(encodeURIComponent).join("/");
  return `${isImagePath(path) ? "!" : ""}[${label}](${target})`;
}
