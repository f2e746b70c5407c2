import "../documents/prose.css";
import { useRef, type MouseEvent } from "react";
import type { Document } from "../documents/document.ts";
import { useShowDocument } from "../documents/document-url.ts";
import { SourceNotice } from "../documents/reading/source-notice.tsx";
import { useNoteView } from "../documents/reading/use-note-view.ts";
import { useVault } from "../documents/vault-store.ts";
import { resolveLink, type LinkIndex } from "../documents/wiki-links.ts";

const NO_LINKS: LinkIndex<Document> = new Map();
const SMALL = { "--prose-size": "14px", "--prose-line": "22px" };
const MAY_HAVE_LINKS = /\]\(|\[\[/;

/** Rendered, sanitised Markdown; its links to documents open them. */
export default function MarkdownText({ text }: { readonly text: string }) {
  // The list of files is loaded only if there may be links to them.
  return MAY_HAVE_LINKS.test(text) ? <TextWithLinks text={text} /> : <Text text={text} links={NO_LINKS} />;
}

function TextWithLinks({ text }: { text: string }) {
  const { links } = useVault();
  return <Text text={text} links={links} />;
}

function Text({ text, links }: { text: string; links: LinkIndex<Document> }) {
  const ref = useRef<HTMLDivElement>(null);
  const showDocument = useShowDocument();
  const shown = useNoteView(ref, text, { path: "", links, isEditable: false });

  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-link]") : null;
    const linkTarget = target?.dataset["link"];
    if (linkTarget === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const found = resolveLink(linkTarget, "", links);
    if (found !== null) showDocument(found.id);
  };
  return (
    <>
      <SourceNotice shown={shown} />
      <div ref={ref} role="document" aria-label="Text" className="prose" style={SMALL} onClick={onClick} />
    </>
  );
}
