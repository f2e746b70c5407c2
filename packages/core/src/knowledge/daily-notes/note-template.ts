import { TooLargeError } from "../../platform/errors.ts";
import { parseMarkdown } from "../markdown/frontmatter.ts";
import { fillVariables, type TemplateValues } from "./template-variables.ts";

/** A template with its variables filled in. */
export interface FilledTemplate {
  readonly content: string;
  /** What follows the frontmatter. */
  readonly body: string;
  /** Where the caret belongs, as an offset in the body; null if the template does not say. */
  readonly cursor: number | null;
}

/** Fills in the variables of a template. Throws {@link TooLargeError} if the text becomes too long. */
export function fillTemplate(template: string, values: TemplateValues): FilledTemplate {
  const filled = fillVariables(template, values);
  if (filled === null) throw new TooLargeError("With its variables, the template has too many characters.");
  const { content, caret } = filled;
  const { head } = parseMarkdown(content);
  const isInBody = caret !== null && caret >= head.length;
  return { content, body: content.slice(head.length), cursor: isInBody ? caret - head.length : null };
}
