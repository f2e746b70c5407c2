const ATTRIBUTE = "data-query";

/**
 * The place of a query in a text. It contains the source, which stays there where nothing carries it out, such as in an answer that
 * is still being written. What does (`QueryBlocks`) adds the result to it.
 */
export function createQueryElement(source: string): HTMLElement {
  const element = document.createElement("div");
  element.className = "query-place";
  element.setAttribute(ATTRIBUTE, "");
  const code = document.createElement("code");
  code.textContent = source.replace(/\n$/, "");
  const pre = document.createElement("pre");
  pre.append(code);
  element.append(pre);
  return element;
}

/** The places of queries in a text, at most `max`. */
export function queryPlacesIn(container: HTMLElement, max: number): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(`[${ATTRIBUTE}]`)].slice(0, max);
}

export function sourceOf(place: HTMLElement): string {
  return place.querySelector(":scope > pre > code")?.textContent ?? "";
}
