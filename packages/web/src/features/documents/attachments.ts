import { isImagePath } from "./document.ts";
import { uploadFiles } from "./uploads.ts";
import { childOf, nameOf, parentOf } from "./vault-path.ts";

const FOLDER = "attachments";
const UNNAMED = /^image\.(png|jpe?g|gif|webp)$/i;

/** Saves files that were put into a note beside it, and answers the Markdown that shows or links them. */
export async function attachFiles(files: readonly File[], notePath: string, now: Date): Promise<string> {
  const folder = childOf(parentOf(notePath), FOLDER);
  const incoming = files.map((file) => ({ file, relativePath: nameFor(file, now) }));
  const paths = await uploadFiles(incoming, folder);
  // With a break after each, so that the caret stands below an image and not in its text.
  return paths.map((path) => `${toMarkdown(path)}\n`).join("");
}

/** Browsers call every pasted picture "image.png"; the time tells them apart. */
function nameFor({ name }: File, now: Date): string {
  const ending = UNNAMED.exec(name)?.[1];
  if (ending === undefined) return name;
  return `Pasted ${now.toISOString().slice(0, 19).replace("T", " ").replaceAll(":", ".")}.${ending}`;
}

function toMarkdown(path: string): string {
  const name = nameOf(path);
  const label = name.replaceAll(/[[\]]/g, "");
  const target = [FOLDER, name].map(encodeURIComponent).join("/");
  return `${isImagePath(path) ? "!" : ""}[${label}](${target})`;
}
