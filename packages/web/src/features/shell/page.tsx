import { Plus, Search } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { SHORTCUTS } from "../../shortcuts/shortcut-table.ts";
import { openDialog } from "./dialogs.ts";

interface PageProps {
  readonly title: string;
  /** Before the title: a project's colour, a way back. */
  readonly lead?: ReactNode;
  /** Beside the title. */
  readonly actions?: ReactNode;
  /** What makes a new thing here. Null for a page where nothing is made. */
  readonly onCreate?: (() => void) | null;
  readonly createLabel?: string;
  /** A second line: filters and views. */
  readonly toolbar?: ReactNode;
  readonly children: ReactNode;
}

/** One page: the bar with where you are, the search and what you can do here, and the content below. */
export function Page({
  title,
  lead,
  actions,
  onCreate = openNewTask,
  createLabel = "New task",
  toolbar,
  children,
}: PageProps) {
  const isPhone = useMediaQuery(PHONE);
  useEffect(() => {
    document.title = `${title} · Workspace`;
  }, [title]);
  return (
    <>
      <header className="flex h-13 shrink-0 items-center gap-2 border-b border-border px-4 max-md:pr-2">
        {lead}
        <h1 className="min-w-0 truncate text-16 font-semibold text-strong">{title}</h1>
        {actions}
        <div className="ml-auto flex items-center gap-2 max-md:gap-0">
          {isPhone ? <PhoneSearch /> : <SearchButton />}
          {onCreate !== null &&
            (isPhone ? (
              <IconButton label={createLabel} icon={<Plus size={20} />} onClick={onCreate} />
            ) : (
              <Button tone="primary" shortcut="create" icon={<Plus aria-hidden size={16} />} onClick={onCreate}>
                {createLabel}
              </Button>
            ))}
        </div>
      </header>
      {toolbar}
      <main aria-label={title} className="flex min-h-0 flex-1 flex-col">
        {children}
      </main>
    </>
  );
}

function SearchButton() {
  return (
    <button
      type="button"
      className="flex h-8 w-56 items-center gap-2 rounded-control border border-border bg-background px-2.5 text-13 text-muted hover:bg-hover max-lg:w-40"
      onClick={() => openDialog({ kind: "palette" })}
    >
      <Search aria-hidden size={14} />
      <span className="flex-1 text-left">Search</span>
      <Kbd keys={SHORTCUTS.palette.keys[0]} />
    </button>
  );
}

function PhoneSearch() {
  return <IconButton label="Search" icon={<Search size={20} />} onClick={() => openDialog({ kind: "palette" })} />;
}

function openNewTask(): void {
  openDialog({ kind: "new-task" });
}
