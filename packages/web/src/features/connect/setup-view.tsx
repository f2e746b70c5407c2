import { KeyRound } from "lucide-react";
import { useState } from "react";
import { atBase, publicUrlOf } from "../../browser/base-path.ts";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import type { ScopeSet } from "./api-key.ts";
import { snippetsFor, type Snippet } from "./snippets.ts";

interface SetupViewProps {
  /** The key that has just been created, if there is one. */
  readonly createdKey: string | null;
  readonly onCreateKey: (scopeSet: ScopeSet) => void;
}

/** What to paste where, filled in with this server's address. */
export function SetupView({ createdKey, onCreateKey }: SetupViewProps) {
  const [stamp] = useState(() => Date.now().toString(36));
  const snippets = snippetsFor(publicUrlOf(""), createdKey, stamp);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-220 flex-col gap-4 p-4 md:p-6">
        <p className="text-pretty text-normal">
          Create a key, set it as <code className="font-mono text-13 text-strong">WORKSPACE_API_KEY</code>, and paste
          what you need. The address of this server is filled in; all its endpoints are described at{" "}
          <a href={atBase("/docs")} className="font-medium text-accent-text hover:underline">
            /docs
          </a>
          .
        </p>
        {snippets.map((snippet) => (
          <SnippetCard key={snippet.id} snippet={snippet} onCreateKey={() => onCreateKey(snippet.scopeSet)} />
        ))}
      </div>
    </div>
  );
}

function SnippetCard({ snippet, onCreateKey }: { snippet: Snippet; onCreateKey: () => void }) {
  const { title, purpose, blocks } = snippet;
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-3 rounded-panel border border-border p-4">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-60 flex-1">
          <h2 className="text-14 font-semibold text-strong">{title}</h2>
          <p className="text-13 text-pretty text-muted">{purpose}</p>
        </div>
        <Button size="small" icon={<KeyRound aria-hidden size={14} />} aria-haspopup="dialog" onClick={onCreateKey}>
          Create a key<span className="sr-only"> for {title}</span>
        </Button>
      </header>
      {blocks.map(({ caption, code }) => (
        <figure key={caption} className="min-w-0 overflow-hidden rounded-control border border-border bg-background">
          <figcaption className="flex items-center justify-between border-b border-border pl-3 text-12 text-muted">
            {caption}
            <CopyButton text={code} what={`${title}, ${caption}`} />
          </figcaption>
          <pre
            aria-label={`${title}, ${caption}`}
            className="p-3 font-mono text-12 [overflow-wrap:anywhere] whitespace-pre-wrap text-strong"
          >
            {code}
          </pre>
        </figure>
      ))}
    </section>
  );
}
