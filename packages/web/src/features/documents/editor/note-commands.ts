import { Facet } from "@codemirror/state";

/** A template that can be inserted. */
export interface InsertableTemplate {
  readonly path: string;
  readonly name: string;
}

/** A text to insert, and where the caret belongs in it. */
export interface InsertedText {
  readonly text: string;
  readonly cursor: number | null;
}

/** What can be done from a note besides writing. */
export interface NoteCommands {
  /** The tags of all notes. */
  tags(): readonly string[];
  templates(): readonly InsertableTemplate[];
  fillTemplate(path: string): Promise<InsertedText | null>;
  /** Creates a task with a link to the note. Returns its URL; null after showing an error. */
  createTask(title: string): Promise<string | null>;
}

const NONE: NoteCommands = {
  tags: () => [],
  templates: () => [],
  fillTemplate: () => Promise.resolve(null),
  createTask: () => Promise.resolve(null),
};

export const noteCommands = Facet.define<NoteCommands, NoteCommands>({ combine: ([commands = NONE]) => commands });
