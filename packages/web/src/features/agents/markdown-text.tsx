import "../documents/prose.css";
import { clsx } from "clsx";
import { Suspense, useRef, type MouseEvent } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import type { Document } from "../documents/document.ts";
import { useShowDocument } from "../documents/document-url.ts";
import { SourceNotice } from "../documents/reading/source-notice.tsx";
import { useNoteView } from "../documents/reading/use-note-view.ts";
import { useVault } from "../documents/vault/vault-store.ts";
import { resolveLink, type LinkIndex } from "../documents/links/wiki-links.ts";

const QueryBlocks = lazyPart(() => import("../documents/queries/query-blocks.tsx"));

const CodeCopy = lazyPart(() => import("./code-copy.tsx"));

const NO_LINKS: LinkIndex<Document> = new Map();
const SMALL = { "--prose-size": "14px", "--prose-line": "22px" };
const MAY_HAVE_LINKS = /\]\(|\[\[/;
const MAY_HAVE_CODE = /```|~~~|^(?: {4}|\t)|<pre/im;
const MAY_HAVE_QUERIES = /(?:```|~~~)[ \t]*query\b/i;

interface MarkdownTextProps {
  readonly text: string;
  /** Whether each line of the text is a line, as in what people write into a field. */
  readonly keepsLines?: boolean;
  /** Whether more of it is still to come; until then its queries are shown as they are written. */
  readonly isGrowing?: boolean;
}

/** Rendered, sanitised Markdown. Its links to documents open them, and its queries show what they find. */
export default function MarkdownText(props: MarkdownTextProps) {
  // The list of files is loaded only if there may be links to them.
  return MAY_HAVE_LINKS.test(props.text) ? <TextWithLinks {...props} /> : <Text {...props} links={NO_LINKS} />;
}

function TextWithLinks(props: MarkdownTextProps) {
  const { links } = useVault();
  return <Text {...props} links={links} />;
}

interface TextProps extends MarkdownTextProps {
  readonly links: LinkIndex<Document>;
}

function Text({ text, keepsLines = false, isGrowing = false, links }: TextProps) {
  const ref = useRef<HTMLDivElement>(null);
  const showDocument = useShowDocument();
  const shown = useNoteView(ref, text, { path: "", links, isEditable: false, hasTags: false });

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
      <div
        ref={ref}
        role="document"
        aria-label="Text"
        className={clsx("prose", keepsLines && "keeps-lines")}
        style={SMALL}
        onClick={onClick}
      />
      {!isGrowing && MAY_HAVE_QUERIES.test(text) && (
        <Suspense>
          <QueryBlocks containerRef={ref} />
        </Suspense>
      )}
      {!isGrowing && MAY_HAVE_CODE.test(text) && (
        <Suspense>
          <CodeCopy containerRef={ref} />
        </Suspense>
      )}
    </>
  );
}
