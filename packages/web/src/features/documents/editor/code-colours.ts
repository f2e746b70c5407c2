import { markdownLanguage } from "@codemirror/lang-markdown";
import { languageDataProp, syntaxHighlighting } from "@codemirror/language";
import { classHighlighter } from "@lezer/highlight";

/** The colours of code in a note. Markdown itself is styled by live preview, which draws only so much of it. */
export const codeColours = syntaxHighlighting({
  style: classHighlighter.style,
  scope: (type) => type.prop(languageDataProp) !== markdownLanguage.data,
});
