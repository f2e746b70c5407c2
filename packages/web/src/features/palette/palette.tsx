import { useNavigate, useRouter } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Bot, CalendarDays, FilePlus, FileUp, Folder, ListFilter, Pause, Plus, Search, Trash2 } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState, type ReactNode } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Kbd } from "../../components/kbd.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { useRestoredFocus } from "../../components/use-restored-focus.ts";
import { SHORTCUT_KEYS } from "../../shortcuts/shortcut-keys.ts";
import { PAGES } from "../../routes/pages.ts";
import { pauseAllAgents } from "../agents/agent-actions.ts";
import { insertLines, openEditor } from "../documents/editor/open-editor.ts";
import { QUERY_EXAMPLES, queryBlock } from "../documents/queries/query-examples.ts";
import { useShowDay, useShowDocument } from "../documents/document-url.ts";
import { createNote } from "../documents/vault/vault-actions.ts";
import { VAULT_ROOT } from "../documents/vault/vault-path.ts";
import { useProjects } from "../projects/project-collection.ts";
import { useViews } from "../views/view-collection.ts";
import { ViewIcon } from "../views/view-icon.tsx";
import { accountActions } from "../shell/account-actions.tsx";
import { CreateTaskEntries } from "./create-task-entries.tsx";
import { Entry, Group } from "./palette-parts.tsx";
import { matchesAll } from "../../lists/text-match.ts";
import { usePaletteSearch } from "./palette-search.ts";
import { RecentEntries } from "./recent-entries.tsx";
import { SearchResults } from "./search-results.tsx";
import { useHighlight } from "./use-highlight.ts";
import { dialogs } from "../shell/dialogs.ts";

/** Opens the page's dialog for a new item. */
const NEW: Record<string, string> = { new: "1" };
const MAX_RESULTS = 6;

/** Searches everything in the workspace, and runs commands. */
export default function Palette({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const [text, setTextState] = useState("");
  const highlight = useHighlight();
  const restoreFocus = useRestoredFocus();
  const setText = (next: string) => {
    highlight.restart();
    setTextState(next);
  };
  const run = (action: () => void) => {
    onClose();
    action();
  };
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="animate-fade fixed inset-0 z-50 bg-(--scrim)" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={restoreFocus}
          className="animate-float fixed inset-x-3 top-[max(12px,12vh)] z-50 mx-auto flex max-h-[70vh] max-w-160 flex-col overflow-hidden rounded-panel bg-raised shadow-float focus:outline-none"
          onKeyDown={(event) => {
            if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
              event.preventDefault();
              onClose();
            }
          }}
        >
          <Dialog.Title className="sr-only">Search or run a command</Dialog.Title>
          <Command
            loop
            shouldFilter={false}
            label="Search or run a command"
            className="flex min-h-0 flex-col"
            {...highlight.props}
          >
            <div className="flex h-13 shrink-0 items-center gap-3 border-b border-border px-4">
              <Search aria-hidden size={16} className="text-muted" />
              <Command.Input
                autoFocus
                value={text}
                onFocus={() => setText(dialogs(client).takeTypedAhead() + text)}
                onValueChange={setText}
                placeholder="Search everything, or run a command…"
                className="h-full min-w-0 flex-1 bg-transparent text-16 text-strong focus-visible:outline-none"
              />
              <span className="touch:hidden">
                <Kbd keys="escape" />
              </span>
            </div>
            <Command.List label="Results" className="min-h-0 overflow-y-auto p-2">
              <Results text={text} run={run} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Run = (action: () => void) => void;

function Results({ text, run }: { text: string; run: Run }) {
  const query = text.trim();
  return query === "" ? (
    <>
      <RecentEntries run={run} />
      <NamedGroups query="" run={run} isExact={false} />
    </>
  ) : (
    <Matches query={query} run={run} />
  );
}

/** What matches exactly comes first, of whatever kind; then what can be done with the text, and what has some of its words. */
function Matches({ query, run }: { query: string; run: Run }) {
  const { hits, partial, isSearching, error } = usePaletteSearch(query);
  return (
    <>
      <NamedGroups query={query} run={run} isExact />
      <SearchResults heading="Found" hits={hits} run={run} />
      <NamedGroups query={query} run={run} isExact={false} />
      <CreateTaskEntries query={query} run={run} />
      <SearchResults heading="With some of the words" hits={partial} run={run} />
      <SearchStatus isSearching={isSearching} hasFailed={error !== null} isEmpty={hits.length + partial.length === 0} />
    </>
  );
}

interface NamedProps {
  readonly query: string;
  readonly run: Run;
  /** Shows those whose name is the query, which come first; otherwise those whose names only contain its words. */
  readonly isExact: boolean;
}

/** What is found by its name alone. */
function NamedGroups(props: NamedProps) {
  return (
    <>
      {props.query !== "" && <ProjectResults {...props} />}
      {props.query !== "" && <ViewResults {...props} />}
      <Actions {...props} />
    </>
  );
}

function isNamed(name: string, query: string): boolean {
  return name.toLowerCase() === query.toLowerCase();
}

function SearchStatus(props: { isSearching: boolean; hasFailed: boolean; isEmpty: boolean }) {
  const text = props.isSearching
    ? "Searching…"
    : props.hasFailed
      ? "The server could not be reached. Only tasks and notes that this device keeps were searched."
      : props.isEmpty
        ? "Nothing else was found."
        : undefined;
  return text === undefined ? null : <p className="px-2 py-2 text-13 text-muted">{text}</p>;
}

function ProjectResults(props: NamedProps) {
  const navigate = useNavigate();
  const { rows: projects } = useProjects();
  const found = projects.map(({ id, name, color }) => ({
    id,
    name,
    icon: <ProjectDot color={color} />,
    open: () => void navigate({ to: "/projects/$projectId", params: { projectId: id } }),
  }));
  return <NamedResults {...props} heading="Projects" named={found} />;
}

function ViewResults(props: NamedProps) {
  const navigate = useNavigate();
  const { rows: views } = useViews();
  const found = views.map((view) => ({
    id: view.id,
    name: view.name,
    icon: <ViewIcon view={view} />,
    open: () => void navigate({ to: "/views/$viewId", params: { viewId: view.id } }),
  }));
  return <NamedResults {...props} heading="Views" named={found} />;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly icon: ReactNode;
  open(): void;
}

/** Items whose names contain the words of the query. */
function NamedResults(props: NamedProps & { heading: string; named: readonly Named[] }) {
  const { named, query, isExact } = props;
  const matching = named
    .filter(({ name }) => isNamed(name, query) === isExact && matchesAll(name, query))
    .slice(0, MAX_RESULTS);
  if (matching.length === 0) return null;
  return (
    <Group heading={props.heading}>
      {matching.map(({ id, name, icon, open }) => (
        <Entry key={id} value={id} icon={icon} onSelect={() => props.run(open)}>
          {name}
        </Entry>
      ))}
    </Group>
  );
}

interface Action {
  readonly name: string;
  readonly icon: ReactNode;
  readonly keys?: string | undefined;
  run(): void;
}

function Actions({ query, run, isExact }: NamedProps) {
  const client = useClient();
  const navigate = useNavigate();
  const router = useRouter();
  const showDocument = useShowDocument();
  const showDay = useShowDay();
  const groups: readonly { heading: string; actions: readonly Action[] }[] = [
    {
      heading: "Do",
      actions: [
        {
          name: "Create a task",
          icon: <Plus size={16} />,
          keys: "c",
          run: () => dialogs(client).open({ kind: "new-task" }),
        },
        {
          name: "Open today's note",
          icon: <CalendarDays size={16} />,
          keys: SHORTCUT_KEYS.today[0],
          run: () => showDay(),
        },
        { name: "Create a note", icon: <FilePlus size={16} />, run: () => void writeNote(client, showDocument) },
        {
          name: "Import tasks",
          icon: <FileUp size={16} />,
          run: () => dialogs(client).open({ kind: "import-tasks" }),
        },
        {
          name: "Import notes",
          icon: <FileUp size={16} />,
          run: () => dialogs(client).open({ kind: "import-notes" }),
        },
        {
          name: "Create a project",
          icon: <Folder size={16} />,
          run: () => dialogs(client).open({ kind: "new-project" }),
        },
        ...insertQueryActions(client),
        { name: "Create an agent", icon: <Bot size={16} />, run: () => void navigate({ to: "/agents", search: NEW }) },
        { name: "Pause all agents", icon: <Pause size={16} />, run: () => void pauseAllAgents(client) },
      ],
    },
    {
      heading: "Go to",
      actions: [
        ...PAGES.map(({ path, title, icon: Icon, goKey }) => ({
          name: title,
          icon: <Icon size={16} />,
          keys: `g ${goKey}`,
          run: () => void navigate({ to: path }),
        })),
        { name: "Deleted", icon: <Trash2 size={16} />, run: () => void navigate({ to: "/deleted" }) },
      ],
    },
    {
      heading: "Settings",
      actions: accountActions(client, router).map(({ label, icon, keys, run: act }) => ({
        name: label,
        icon,
        keys,
        run: act,
      })),
    },
  ];
  return groups.map(({ heading, actions }) => {
    const matching = actions.filter(
      ({ name }) => isNamed(name, query) === isExact && matchesAll(`${heading} ${name}`, query),
    );
    if (matching.length === 0) return null;
    return (
      <Group key={heading} heading={heading}>
        {matching.map(({ name, icon, keys, run: act }) => (
          <Entry key={name} value={`${heading}-${name}`} icon={icon} keys={keys} onSelect={() => run(act)}>
            {name}
          </Entry>
        ))}
      </Group>
    );
  });
}

async function writeNote(client: Client, show: (id: string) => void): Promise<void> {
  const note = await createNote(client, VAULT_ROOT);
  if (note !== null) show(note.id);
}

/** Queries to insert into the note that is being written. */
function insertQueryActions(client: Client): Action[] {
  const editor = openEditor(client).current;
  if (editor === null) return [];
  return QUERY_EXAMPLES.map(({ name, text }) => ({
    name: `Insert a query: ${name}`,
    icon: <ListFilter size={16} />,
    run: () => setTimeout(() => insertLines(editor, queryBlock(text))),
  }));
}
