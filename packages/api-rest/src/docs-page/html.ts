import { escapeHtml } from "../http/escape-html.ts";

/** Text that is already HTML and must not be escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | null | readonly Value[];

/** A template tag that escapes values unless they are {@link Html}. Null is omitted; the items of a list are concatenated. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.map((text, index) => text + toHtml(values[index] ?? null)).join(""));
}

function toHtml(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(toHtml).join("");
  return escapeHtml(String(value));
}
