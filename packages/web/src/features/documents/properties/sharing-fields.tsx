import { Check, Copy, ExternalLink } from "lucide-react";
import { useId, useState } from "react";
import { useRow } from "../../../api/use-collection.ts";
import { useIsAway } from "../../../api/use-is-away.ts";
import { publicUrlOf } from "../../../browser/base-path.ts";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { setSharing } from "../document-actions.ts";
import { documentCollection } from "../document-collection.ts";
import type { Document, Sharing } from "../document.ts";

interface Choice {
  readonly name: string;
  readonly hint: string;
  readonly sharing: Sharing;
}

const CHOICES: readonly Choice[] = [
  { name: "Not shared", hint: "Only people who can sign in here.", sharing: { shared: false, shareType: null } },
  {
    name: "By link",
    hint: "Anyone with the link. Search engines are asked not to list it.",
    sharing: { shared: true, shareType: "private" },
  },
  { name: "Public", hint: "Anyone. Search engines may list it.", sharing: { shared: true, shareType: "public" } },
];

/** Who can read a document, and its public address. */
export function SharingFields({ id }: { readonly id: string }) {
  const client = useClient();
  const document = useRow(documentCollection(client), id);
  // The fields may be shown in two places at once, and radio buttons with the same name form one group.
  const group = useId();
  // What is said to be no longer public must not be.
  const isAway = useIsAway();
  if (document === undefined) return null;
  return (
    <div className="flex flex-col gap-3">
      <fieldset
        className="flex flex-col gap-2 disabled:opacity-60"
        disabled={isAway}
        aria-describedby={isAway ? `${group}-away` : undefined}
      >
        <legend className="mb-1 text-13 font-medium text-strong">Who can read this</legend>
        {isAway && (
          <p id={`${group}-away`} className="text-12 text-muted">
            It can be changed once the server responds.
          </p>
        )}
        {CHOICES.map((choice) => (
          <SharingChoice key={choice.name} document={document} group={group} {...choice} />
        ))}
      </fieldset>
      {document.shared && <ShareLink id={id} />}
    </div>
  );
}

function SharingChoice({ document, group, name, hint, sharing }: Choice & { document: Document; group: string }) {
  const client = useClient();
  const id = useId();
  return (
    <div className="grid grid-cols-[16px_1fr] items-start gap-x-2 touch:min-h-11">
      <input
        id={id}
        type="radio"
        name={group}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 accent-(--accent)"
        checked={isChosen(document, sharing)}
        onChange={() => void setSharing(client, document, sharing)}
      />
      <label htmlFor={id} className="text-strong">
        {name}
      </label>
      <p id={`${id}-hint`} className="col-start-2 text-12 text-muted">
        {hint}
      </p>
    </div>
  );
}

function ShareLink({ id }: { id: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const url = publicUrlOf(`/share/${id}`);
  const copy = async () => {
    await navigator.clipboard.writeText(url);
    setIsCopied(true);
  };
  return (
    <div className="flex flex-col gap-2">
      <input
        readOnly
        aria-label="Share link"
        value={url}
        className="h-(--control-height-small) w-full rounded-control border border-control bg-background px-2 font-mono text-12 text-strong"
        onFocus={(event) => event.target.select()}
      />
      <div className="flex gap-2">
        {/* Browsers offer the clipboard API on secure origins only; elsewhere the user copies from the field. */}
        {window.isSecureContext && (
          <Button
            size="small"
            icon={isCopied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
            onClick={() => void copy()}
          >
            {isCopied ? "Copied" : "Copy link"}
          </Button>
        )}
        <a
          href={url}
          target="_blank"
          rel="noopener"
          className="inline-flex h-(--control-height-small) items-center gap-1.5 rounded-control px-2 text-13 font-medium text-normal hover:bg-hover"
        >
          <ExternalLink aria-hidden size={14} />
          Open
        </a>
      </div>
    </div>
  );
}

/** A shared document without a type is shared by link. */
function isChosen({ shared, shareType }: Document, choice: Sharing): boolean {
  return shared === choice.shared && (!shared || (shareType ?? "private") === choice.shareType);
}
