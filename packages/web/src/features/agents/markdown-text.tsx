import "../documents/prose.css";
import { useEffect, useRef, type MouseEvent } from "react";
import type { Document } from "../documents/document.ts";
import { useShowDocument } from "../documents/documents-address.ts";
import { renderNote } from "../documents/markdown-html.ts";
import { useVault } from "../documents/vault-store.ts";
import { resolveLink, type LinkIndex } from "../documents/wiki-links.ts";

const NO_LINKS: LinkIndex<Document> = new Map();
const SMALL = { "--prose-size": "14px", "--prose-line": "22px" };
const MAY_HAVE_LINKS = /\]\(|\[\[/;

/** Markdown as it is read, sanitised; its links to documents open them. */
export default function MarkdownText({ text }: { readonly text: string }) {
  // The files are read only where something may lead to one.
  return MAY_HAVE_LINKS.test(text) ? <TextWithLinks text={text} /> : <Text text={text} links={NO_LINKS} />;
}

function TextWithLinks({ text }: { text: string }) {
  const { links } = useVault();
  return <Text text={text} links={links} />;
}

function Text({ text, links }: { text: string; links: LinkIndex<Document> }) {
  const ref = useRef<HTMLDivElement>(null);
  const showDocument = useShowDocument();
  useEffect(() => {
    ref.current?.replaceChildren(renderNote(text, { path: "", links }));
    ref.current?.querySelectorAll("input").forEach((box) => (box.disabled = true));
  }, [text, links]);

  const onClick = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-link]") : null;
    const address = target?.dataset["link"];
    if (address === undefined || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const found = resolveLink(address, "", links);
    if (found !== null) showDocument(found.id);
  };
  return <div ref={ref} role="document" aria-label="Text" className="prose" style={SMALL} onClick={onClick} />;
}
