import { CircleDashed, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { useClient } from "../../../client/use-client.ts";
import { Badge } from "../../../components/badge.tsx";
import { TimeAgo } from "../../../components/time-ago.tsx";
import { ProjectDot } from "../../../components/project-dot.tsx";
import { useCurrentProject } from "../../projects/project-collection.ts";
import { useDebounced } from "../../palette/use-debounced.ts";
import { pickProject, pickTags } from "../../tasks/task-pickers.tsx";
import { updateDetails } from "../document-actions.ts";
import { documentCollection } from "../document-collection.ts";
import type { DocumentSession } from "../session/document-session.ts";
import { statisticsOf } from "../document-text.ts";
import { formatSize, pluralize } from "../../../numbers/number-format.ts";
import { kindOf, type Document, type OpenDocument } from "../document.ts";
import { FrontmatterFields } from "./frontmatter-fields.tsx";
import { useKeptFields } from "../kept-changes/document-changes.ts";
import { PropertyInput } from "./property-input.tsx";
import { SharingFields } from "./sharing-fields.tsx";
import { tagRequests } from "./tag-requests.ts";
import { useSessionState } from "../session/use-session.ts";

/** Counting the words of a long text takes a while, so it waits for a pause. */
const STATISTICS_DELAY_MS = 300;

const FIELD =
  "flex min-h-8 w-full items-start gap-2 rounded-control px-2 py-1.5 text-left text-strong hover:bg-hover aria-expanded:bg-hover disabled:pointer-events-none touch:min-h-11";

interface DocumentPropertiesProps {
  readonly document: Document;
  readonly metadata: OpenDocument["metadata"];
  readonly session: DocumentSession | null;
}

/** A document's properties: editable ones, frontmatter fields, and read-only facts. */
export function DocumentProperties({ document, metadata, session }: DocumentPropertiesProps) {
  const isText = session !== null;
  const fields = useKeptFields(document.id, metadata);
  return (
    <div className="flex flex-col gap-5 p-4">
      <fieldset disabled={document.deletedAt !== null} className="contents">
        <legend className="sr-only">Properties of {document.title}</legend>
        {isText && (
          <dl className="flex flex-col gap-0.5">
            <TitleRow document={document} />
            <TagsRow document={document} />
            {document.textTags.length > 0 && <TextTagsRow tags={document.textTags} />}
            <ProjectRow document={document} />
          </dl>
        )}
        {kindOf(document) === "markdown" && <FrontmatterFields document={document} metadata={fields} />}
        <section className="border-t border-border pt-4">
          <SharingFields id={document.id} />
        </section>
      </fieldset>
      <FileFacts document={document} session={session} />
    </div>
  );
}

function TitleRow({ document }: { document: Document }) {
  const client = useClient();
  return (
    <PropertyRow label="Title">
      <PropertyInput
        isRequired
        label="Title"
        value={document.title}
        maxLength={500}
        onSave={(title) => updateDetails(client, document, { title })}
      />
    </PropertyRow>
  );
}

function TagsRow({ document }: { document: Document }) {
  const client = useClient();
  const { id, tags } = document;
  const toggle = (tag: string, isOn: boolean) => {
    // Read when a tag is picked: the picker stays open across several changes.
    const current = documentCollection(client).get(id) ?? document;
    const others = current.tags.filter((other) => other !== tag);
    void updateDetails(client, current, { tags: isOn ? [...others, tag] : others });
  };
  return (
    <PropertyRow label="Tags">
      <button
        type="button"
        aria-haspopup="dialog"
        className={FIELD}
        onClick={(event) => pickTags(client, event.currentTarget, new Set(tags), toggle)}
      >
        <span aria-hidden className="flex h-5 w-4 shrink-0 items-center justify-center text-muted">
          <Tag size={16} />
        </span>
        <span className="flex min-w-0 flex-wrap gap-1">
          {tags.length === 0 ? (
            <span className="text-muted">No tags</span>
          ) : (
            tags.map((tag) => <Badge key={tag}>{tag}</Badge>)
          )}
        </span>
      </button>
    </PropertyRow>
  );
}

/** Tags in the text are changed there. */
function TextTagsRow({ tags }: { tags: readonly string[] }) {
  const client = useClient();
  return (
    <PropertyRow label="In the text">
      <span className="flex min-w-0 flex-wrap gap-1 px-2 py-1.5">
        {tags.map((tag) => (
          <button key={tag} type="button" onClick={() => tagRequests(client).emit(tag)}>
            <Badge>#{tag}</Badge>
          </button>
        ))}
      </span>
    </PropertyRow>
  );
}

function ProjectRow({ document }: { document: Document }) {
  const client = useClient();
  const project = useCurrentProject(document.project);
  return (
    <PropertyRow label="Project">
      <button
        type="button"
        aria-haspopup="dialog"
        className={FIELD}
        onClick={(event) =>
          pickProject(client, event.currentTarget, {
            chosen: new Set([document.projectId]),
            onPick: (projectId) => void updateDetails(client, document, { projectId }),
          })
        }
      >
        <span aria-hidden className="flex h-5 w-4 shrink-0 items-center justify-center text-muted">
          {project === null ? <CircleDashed size={16} /> : <ProjectDot color={project.color} />}
        </span>
        <span className="min-w-0 truncate">{project?.name ?? <span className="text-muted">No project</span>}</span>
      </button>
    </PropertyRow>
  );
}

function FileFacts({ document, session }: { document: Document; session: DocumentSession | null }) {
  const text = useDebounced(useSessionState(session).text, STATISTICS_DELAY_MS);
  const statistics = useInSlices(statisticsOf, text);
  return (
    <footer className="flex flex-col gap-0.5 border-t border-border pt-4 text-12 text-muted">
      <p className="font-mono [overflow-wrap:anywhere]">/{document.path}</p>
      <p className="tabular">
        {formatSize(document.size)}
        {session !== null &&
          statistics !== null &&
          ` · ${pluralize(statistics.words, "word")} · ${pluralize(statistics.characters, "character")}`}
      </p>
      <p>
        Changed <TimeAgo timestamp={document.modifiedAt} />
      </p>
      <p>
        Created <TimeAgo timestamp={document.createdAt} />
      </p>
    </footer>
  );
}

function PropertyRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-start">
      <dt className="flex h-8 w-20 shrink-0 items-center text-13 text-muted touch:h-11">{label}</dt>
      <dd className="min-w-0 flex-1">{children}</dd>
    </div>
  );
}
