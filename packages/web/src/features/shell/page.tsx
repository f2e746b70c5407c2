import { Plus, Search } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useClient } from "../../client/use-client.ts";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { dialogs } from "./dialogs.ts";

interface PageProps {
  readonly title: string;
  /** The title of what is open on the page, which the browser's tab shows instead. */
  readonly tabTitle?: string | undefined;
  /** Shown before the title: a project's colour or a back link. */
  readonly lead?: ReactNode;
  /** Shown beside the title. */
  readonly actions?: ReactNode;
  /** Creates a new item here. Null for a page on which nothing can be created. */
  readonly onCreate?: (() => void) | null;
  readonly createLabel?: string;
  /** A second line: filters and views. */
  readonly toolbar?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of a page: a bar with the title, the search and the actions, and the content below. */
export function Page({
  title,
  tabTitle = title,
  lead,
  actions,
  onCreate,
  createLabel = "New task",
  toolbar,
  children,
}: PageProps) {
  const client = useClient();
  const isPhone = useMediaQuery(PHONE);
  const create = onCreate === undefined ? () => dialogs(client).open({ kind: "new-task" }) : onCreate;
  useEffect(() => {
    document.title = `${tabTitle} · Workspace`;
  }, [tabTitle]);
  return (
    <>
      <header className="flex h-13 shrink-0 items-center gap-2 border-b border-border px-4 max-md:pr-2">
        {lead}
        <h1 className="min-w-0 truncate text-16 font-semibold text-strong">{title}</h1>
        {actions}
        <div className="ml-auto flex items-center gap-2 max-md:gap-0">
          {isPhone ? <PhoneSearch /> : <SearchButton />}
          {create !== null &&
            (isPhone ? (
              <IconButton label={createLabel} icon={<Plus size={20} />} onClick={create} />
            ) : (
              <Button tone="primary" shortcut="create" icon={<Plus aria-hidden size={16} />} onClick={create}>
                {createLabel}
              </Button>
            ))}
        </div>
      </header>
      <main aria-label={title} className="flex min-h-0 flex-1 flex-col">
        {toolbar}
        {children}
      </main>
    </>
  );
}

/** A page's second line: filters and views. */
export function Toolbar({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex h-12 shrink-0 items-center gap-2 border-b border-border px-3 touch:h-14 max-md:px-2">
      {children}
    </div>
  );
}

function SearchButton() {
  const client = useClient();
  return (
    <button
      type="button"
      className="flex h-8 w-56 items-center gap-2 rounded-control border border-border bg-background px-2.5 text-13 text-muted hover:bg-hover max-lg:w-40"
      onClick={() => dialogs(client).open({ kind: "palette" })}
    >
      <Search aria-hidden size={14} />
      <span className="flex-1 text-left">Search</span>
      <Kbd keys={SHORTCUT_KEYS.palette[0]} />
    </button>
  );
}

function PhoneSearch() {
  const client = useClient();
  return (
    <IconButton label="Search" icon={<Search size={20} />} onClick={() => dialogs(client).open({ kind: "palette" })} />
  );
}
