import { isTagName, TAGS } from "../properties/tag-form.ts";

/** What is in these is no plain text. */
const NO_TEXT = "a, button, code, pre, math, kbd, .query";

/** Makes the tags in rendered text buttons, which list the files with that tag. Follows the same rules as the editor. */
export function markTags(fragment: DocumentFragment): void {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.data.includes("#") && isPlain(node)) texts.push(node);
  }
  texts.forEach(markIn);
}

function isPlain(text: Text): boolean {
  return text.parentElement?.closest(NO_TEXT) == null;
}

function markIn(text: Text): void {
  const parts: (string | HTMLElement)[] = [];
  let shownTo = 0;
  for (const { 1: name = "", index } of text.data.matchAll(TAGS)) {
    const tag = name.replace(/\/$/, "");
    if (!isTagName(tag) || (index === 0 && !beginsWord(text))) continue;
    parts.push(text.data.slice(shownTo, index), createTag(tag));
    shownTo = index + 1 + tag.length;
  }
  if (parts.length > 0) text.replaceWith(...parts, text.data.slice(shownTo));
}

/** Whether a text is not preceded by letters in other marks, as in `**a**#b`. */
function beginsWord({ previousSibling }: Text): boolean {
  return (
    previousSibling === null ||
    previousSibling instanceof HTMLBRElement ||
    /[\s([{]$/.test(previousSibling.textContent ?? "")
  );
}

function createTag(tag: string): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "tag";
  button.dataset["tag"] = tag;
  button.title = `Files with #${tag}`;
  button.textContent = `#${tag}`;
  return button;
}
