import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { useDraft } from "../../drafts/draft.ts";
import { useProjects } from "../projects/project-collection.ts";
import { createCalendarFeed, FEED_CONTENTS, type CreatedCalendarFeed } from "./calendar-feed.ts";

interface NewFeedDialogProps {
  readonly onCreated: (created: CreatedCalendarFeed) => void;
  readonly onClose: () => void;
}

/** Creates a feed: its name, whose tasks it has, and as what they are shown. */
export default function NewFeedDialog({ onCreated, onClose }: NewFeedDialogProps) {
  const client = useClient();
  const { rows: projects } = useProjects();
  const [name, setName] = useDraft("calendar-feed.new.name");
  const [projectId, setProjectId] = useState("");
  const [content, setContent] = useState(0);
  const [includesDone, setIncludesDone] = useState(false);
  const submission = useSubmit((name ?? "").trim() !== "", async () => {
    const created = await createCalendarFeed(client, {
      name: (name ?? "").trim(),
      projectId: projectId === "" ? null : projectId,
      content: FEED_CONTENTS[content]?.value ?? "events",
      includesDone,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    setName(null);
    onClose();
    onCreated(created);
  });
  return (
    <FormDialog
      title="New calendar feed"
      submission={submission}
      submitLabel="Create feed"
      failure="Not created."
      onClose={onClose}
    >
      <InputField
        label="Name"
        hint="Name the program and its device, so that you know later what to revoke."
        autoFocus
        required
        maxLength={200}
        value={name ?? ""}
        placeholder="Calendar on the phone"
        onChange={(event) => setName(event.target.value)}
      />
      <Field label="Tasks of">
        {(control) => (
          <Select {...control} value={projectId} onChange={(event) => setProjectId(event.target.value)}>
            <option value="">All projects</option>
            {projects.map((project) => (
              <option key={project.id} value={project.id}>
                {project.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Shown as">
        {(control) => (
          <Select {...control} value={content} onChange={(event) => setContent(Number(event.target.value))}>
            {FEED_CONTENTS.map(({ value, label }, index) => (
              <option key={value} value={index}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Checkbox
        label="With tasks that are done"
        checked={includesDone}
        onChange={(event) => setIncludesDone(event.target.checked)}
      />
    </FormDialog>
  );
}
