import { autocompletion } from "@codemirror/autocomplete";
import { completeLink } from "./link-completion.ts";
import { completeSlash } from "./slash-menu.ts";
import { completeTag } from "./tag-completion.ts";

/** What is offered while one types: files after `[[`, tags after `#`, and blocks and actions after `/`. */
export const noteCompletion = autocompletion({
  override: [completeLink, completeTag, completeSlash],
  icons: false,
  interactionDelay: 0,
  maxRenderedOptions: 60,
});
