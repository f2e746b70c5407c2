import { CircleDashed, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Instant } from "../../components/instant.tsx";
import { ProjectDot } from "../../components/project-dot.tsx";
import { useCurrentProject } from "../projects/project-collection.ts";
import { pickProject, pickTags } from "../tasks/task-pickers.tsx";
import { updateDetails } from "./document-actions.ts";
import { documentCollection } from "./document-collection.ts";
import type { DocumentSession } from "./document-session.ts";
import { figuresOf } from "./document-text.ts";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { kindOf, saySize, type Document, type OpenDocument } from "./document.ts";
import { FrontmatterFields } from "./frontmatter-fields.tsx";
import { PropertyInput } from "./property-input.tsx";
import { SharingFields } from "./sharing-fields.tsx";
import { useSessionState } from "./use-session.ts";

const FIELD =
  "flex min-h-8 w-full items-start gap-2 rounded-control px-2 py-1.5 text-left text-strong hover:bg-hover aria-expanded:bg-hover disabled:pointer-events-none touch:min-h-11";

interface DocumentPropertiesProps {
  readonly document: Document;
  readonly metadata: OpenDocument["metadata"];
  readonly session: DocumentSession | null;
}

/** The fields of a document: those that can be changed here, those of its frontmatter, and what cannot be changed. */
export function DocumentProperties({ document, metadata, session }: DocumentPropertiesProps) {
  const isText = session !== null;
  return (
    <div className="flex flex-col gap-5 p-4">
      <fieldset disabled={document.deletedAt !== null} className="contents">
        <legend className="sr-only">Properties of {document.title}</legend>
        {isText && (
          <dl className="flex flex-col gap-0.5">
            <TitleRow key={document.title} document={document} />
            <TagsRow document={document} />
            <ProjectRow document={document} />
          </dl>
        )}
        {kindOf(document) === "markdown" && <FrontmatterFields document={document} metadata={metadata} />}
        <section className="border-t border-border pt-4">
          <SharingFields id={document.id} />
        </section>
      </fieldset>
      <FileFacts document={document} session={session} />
    </div>
  );
}

function TitleRow({ document }: { document: Document }) {
  return (
    <PropertyRow label="Title">
      <PropertyInput
        isRequired
        label="Title"
        value={document.title}
        maxLength={500}
        onSave={(title) => void updateDetails(document, { title })}
      />
    </PropertyRow>
  );
}

function TagsRow({ document }: { document: Document }) {
  const { id, tags } = document;
  const toggle = (tag: string, isOn: boolean) => {
    // As it is when it is picked: the picker stays open over several changes.
    const current = documentCollection.get(id) ?? document;
    const others = current.tags.filter((other) => other !== tag);
    void updateDetails(current, { tags: isOn ? [...others, tag] : others });
  };
  return (
    <PropertyRow label="Tags">
      <button
        type="button"
        aria-haspopup="dialog"
        className={FIELD}
        onClick={(event) => pickTags(event.currentTarget, new Set(tags), toggle)}
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

function ProjectRow({ document }: { document: Document }) {
  const project = useCurrentProject(document.project);
  return (
    <PropertyRow label="Project">
      <button
        type="button"
        aria-haspopup="dialog"
        className={FIELD}
        onClick={(event) =>
          pickProject(event.currentTarget, {
            chosen: new Set([document.projectId]),
            onPick: (projectId) => void updateDetails(document, { projectId }),
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
  const { text } = useSessionState(session);
  const { words, characters } = figuresOf(text);
  return (
    <footer className="flex flex-col gap-0.5 border-t border-border pt-4 text-12 text-muted">
      <p className="font-mono [overflow-wrap:anywhere]">/{document.path}</p>
      <p className="tabular">
        {saySize(document.size)}
        {session !== null && ` · ${sayCountOf(words, "word")} · ${sayCountOf(characters, "character")}`}
      </p>
      <p>
        Changed <Instant timestamp={document.modifiedAt} />
      </p>
      <p>
        Created <Instant timestamp={document.createdAt} />
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
