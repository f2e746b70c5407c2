import { formatCost, formatDuration, formatSize } from "../../numbers/number-format.ts";
import { textOf, type Message } from "./conversation-log.ts";

/** A branch of a conversation as Markdown: what was written, with the calls of tools in short form. */
export function toMarkdown(title: string, branch: readonly Message[]): string {
  return `${[`# ${title.replaceAll(/\s+/g, " ")}`, ...branch.map(toSection)].join("\n\n")}\n`;
}

function toSection(message: Message): string {
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
    ].join("\n\n");
  }
  const facts = [
    `${time} UTC`,
    ...(model === null ? [] : [model]),
    ...(durationMs === null ? [] : [formatDuration(durationMs)]),
    ...(costUsd === null ? [] : [formatCost(costUsd, isCostKnown)]),
  ];
  const parts = content.flatMap((block) => {
    if (block.type === "text") return [block.text];
    if (block.type === "tool_result") return block.is_error ? [`> It failed: ${quoted(block.content)}`] : [];
    return [`> ${block.name} ${inCode(JSON.stringify(block.input))}`];
  });
  return [`## Answer, ${facts.join(", ")}`, ...parts].join("\n\n");
}

const quoted = (text: string) => text.replaceAll(/\s+/g, " ");

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
