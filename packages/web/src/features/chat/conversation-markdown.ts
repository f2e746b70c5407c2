import { formatCost, formatDuration, formatSize } from "../../numbers/number-format.ts";
import type { Pausable } from "../../browser/compute-in-slices.ts";
import { textOf, type Message } from "./conversation-log.ts";

/** Replacing white space in this much takes a few milliseconds. */
const PIECE_CHARACTERS = 64 * 1024;

/** A branch of a conversation as Markdown: what was written, with the calls of tools in short form. */
export function* toMarkdown(title: string, branch: readonly Message[]): Pausable<string> {
  const sections = [`# ${yield* onOneLine(title)}`];
  for (const message of branch) {
    sections.push(...(yield* toSection(message)));
    yield;
  }
  return `${sections.join("\n\n")}\n`;
}

function* toSection(message: Message): Pausable<string[]> {
  const { role, content, mentions, attachments, model, costUsd, isCostKnown, durationMs, createdAt } = message;
  const time = createdAt.slice(0, 16).replace("T", " ");
  if (role === "user") {
    const named = mentions.map(({ title }) => inCode(title)).join(", ");
    const attached = attachments.map(({ name, size }) => `${inCode(name)} (${formatSize(size)})`).join(", ");
    return [
      `## You, ${time} UTC`,
      textOf(content),
      ...(named === "" ? [] : [`> Mentions ${named}`]),
      ...(attached === "" ? [] : [`> Attached ${attached}`]),
    ];
  }
  const facts = [
    `${time} UTC`,
    ...(model === null ? [] : [model]),
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(costUsd === null ? [] : [formatCost(costUsd, isCostKnown)]),
  ];
  const parts = [`## Answer, ${facts.join(", ")}`];
  for (const block of content) {
    if (block.type === "text") parts.push(block.text);
    else if (block.type === "tool_use") parts.push(`> ${block.name} ${inCode(JSON.stringify(block.input))}`);
    else if (block.is_error) parts.push(`> It failed: ${yield* onOneLine(block.content)}`);
    yield;
  }
  return parts;
}

/** With any white space as one space. */
function* onOneLine(text: string): Pausable<string> {
  let line = "";
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
    const piece = text.slice(start, start + PIECE_CHARACTERS).replaceAll(/\s+/g, " ");
    line += line.endsWith(" ") && piece.startsWith(" ") ? piece.slice(1) : piece;
    yield;
  }
  return line;
}

/** The text as code, whatever backticks it contains. */
function inCode(text: string): string {
  const longest = longestRunOfBackticks(text);
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** Without a list of all runs, of which a text may have hundreds of thousands. */
function longestRunOfBackticks(text: string): number {
  let [longest, run] = [0, 0];
  for (let index = 0; index < text.length; index += 1) {
    run = text[index] === "`" ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** The name of a file for a conversation, which any file system takes. */
export function fileNameOf(title: string): string {
  const name = title
    .replaceAll(/[\p{Cc}<>:"/\\|?*]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 80)
    .trim()
    .replace(/^\.+/, "");
  return `${name === "" ? "Conversation" : name}.md`;
}
