import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";

/** The project that a setting is for. */
interface ProjectRow {
  readonly project: string;
}

interface LoadedSettingsProps<Settings> {
  readonly query: { readonly data: Settings | undefined; readonly error: unknown; refetch(): unknown };
  /** Renders the form. */
  readonly children: (settings: Settings) => ReactNode;
}

/** Settings once they have been loaded. */
export function LoadedSettings<Settings>({ query, children }: LoadedSettingsProps<Settings>) {
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <SkeletonRows />;
  return <ErrorState title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />;
}

/** The settings of single projects, while they are edited. */
export function useProjectRows<Row extends ProjectRow>(stored: readonly Row[]) {
  const [rows, setRows] = useState(stored);
  return {
    rows,
    add: (row: Row) => setRows([...rows, row]),
    change: (project: string, part: Partial<Row>) =>
      setRows(rows.map((row) => (row.project === project ? { ...row, ...part } : row))),
    remove: (project: string) => setRows(rows.filter((row) => row.project !== project)),
  };
}

interface AddProjectProps {
  readonly label: string;
  readonly rows: readonly ProjectRow[];
  readonly onAdd: (project: string) => void;
}

/** Adds a project to settings, with the known ones as suggestions. */
export function AddProject({ label, rows, onAdd }: AddProjectProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const known = useKnownProjects();
  const name = typed.trim();
  const isTaken = rows.some(({ project }) => project === name);
  const isRelative = /^\.{1,2}(?:[/\\]|$)/u.test(name);
  const add = () => {
    onAdd(name);
    setTyped("");
  };
  return (
    <div className="flex items-end gap-2">
      <div className="min-w-0 flex-1">
        <InputField
          label={label}
          hint="Its git remote, such as github.com/ada/app, or its folder"
          error={
            isRelative
              ? "Enter a git remote, or the whole path of a folder."
              : isTaken
                ? "It is listed above."
                : undefined
          }
          list={`${id}-known`}
          maxLength={1000}
          className="w-full"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <datalist id={`${id}-known`}>
          {(known ?? [])
            .filter((project) => !rows.some((row) => row.project === project))
            .map((project) => (
              <option key={project} value={project}>
                {project}
              </option>
            ))}
        </datalist>
      </div>
      <Button
        className="mb-5.5"
        icon={<Plus aria-hidden size={16} />}
        disabled={name === "" || isTaken || isRelative}
        onClick={add}
      >
        Add project
      </Button>
    </div>
  );
}

interface UnseenProjectProps {
  readonly project: string;
  /** As they are stored, where names are spelled as sessions spell them. */
  readonly stored: readonly ProjectRow[];
}

/** Says that settings are for a project that nothing is known of: its name may be mistyped. */
export function UnseenProject({ project, stored }: UnseenProjectProps) {
  const known = useKnownProjects();
  const isStored = stored.some((row) => row.project === project);
  if (!isStored || known === undefined || known.includes(project)) return null;
  return (
    <p className="text-12 text-pretty text-warning">
      No session and no memory is from this project yet. If it should have some, check its name.
    </p>
  );
}

/** The projects that sessions and memories are from; undefined until they are loaded. */
function useKnownProjects(): readonly string[] | undefined {
  const client = useClient();
  const { data } = useQuery({
    ...trpc(client).hooks.listProjects.queryOptions({ limit: 1000 }),
    select: (response) => response.data.map(({ project }) => project),
  });
  return data;
}
