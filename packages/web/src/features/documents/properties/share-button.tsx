import { Globe, Link2, Share2 } from "lucide-react";
import { useClient } from "../../../client/use-client.ts";
import { Button } from "../../../components/button.tsx";
import { PHONE, useMediaQuery } from "../../../browser/use-media-query.ts";
import type { Document } from "../document.ts";
import { SharingFields } from "./sharing-fields.tsx";
import { floating } from "../../../components/floating.ts";

/** Shows whether others can read the document, and opens the sharing settings. */
export function ShareButton({ document }: { readonly document: Document }) {
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  const { shared, shareType } = document;
  const icon = !shared ? (
    <Share2 aria-hidden size={14} />
  ) : shareType === "public" ? (
    <Globe aria-hidden size={14} />
  ) : (
    <Link2 aria-hidden size={14} />
  );
  return (
    <Button
      size="small"
      tone={shared ? "accent" : "ghost"}
      icon={icon}
      aria-haspopup="dialog"
      onClick={(event) =>
        floating(client).openPopover(event.currentTarget, "Sharing", () => (
          <div className="w-80 max-w-[calc(100vw-24px)] p-4">
            <SharingFields id={document.id} />
          </div>
        ))
      }
    >
      {isPhone ? <span className="sr-only">Share</span> : shared ? "Shared" : "Share"}
    </Button>
  );
}
