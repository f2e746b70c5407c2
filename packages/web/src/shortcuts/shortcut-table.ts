/** Where a shortcut is listed in the map. */
export const SHORTCUT_GROUPS = [
  "Anywhere",
  "In a list",
  "The task under the cursor",
  "On the board",
  "Among the files",
  "While writing",
] as const;

export interface Shortcut {
  /**
   * Alternatives, each of keys joined by `+` and steps divided by a space: `mod+k`, `g t`. `mod` is ⌘ on Apple systems and
   * Ctrl elsewhere. Keys are named as `KeyboardEvent.key` names them, in lower case.
   */
  readonly keys: readonly string[];
  readonly label: string;
  readonly group: (typeof SHORTCUT_GROUPS)[number];
}

/** Every shortcut there is; tooltips, menus and the map read from here. `g` and a letter is in the table of pages. */
export const SHORTCUTS = {
  palette: { keys: ["mod+k"], label: "Find or do anything", group: "Anywhere" },
  create: { keys: ["c"], label: "Create what belongs on this page", group: "Anywhere" },
  find: { keys: ["/"], label: "Filter this page, or search", group: "Anywhere" },
  back: { keys: ["escape"], label: "Step back", group: "Anywhere" },
  undo: { keys: ["mod+z"], label: "Undo the last change", group: "Anywhere" },
  sidebar: { keys: ["["], label: "Show or hide the sidebar", group: "Anywhere" },
  map: { keys: ["?"], label: "Show all shortcuts", group: "Anywhere" },

  next: { keys: ["j", "arrowdown"], label: "Next", group: "In a list" },
  previous: { keys: ["k", "arrowup"], label: "Previous", group: "In a list" },
  select: { keys: ["x"], label: "Select", group: "In a list" },
  extendDown: { keys: ["shift+j", "shift+arrowdown"], label: "Extend the selection down", group: "In a list" },
  extendUp: { keys: ["shift+k", "shift+arrowup"], label: "Extend the selection up", group: "In a list" },
  selectAll: { keys: ["mod+a"], label: "Select all", group: "In a list" },
  view: { keys: ["v"], label: "Switch the view", group: "In a list" },
  open: { keys: ["enter"], label: "Open", group: "In a list" },
  edit: { keys: ["e"], label: "Edit in place", group: "In a list" },
  delete: { keys: ["delete", "backspace"], label: "Delete", group: "In a list" },
  reveal: { keys: ["r"], label: "Reveal or hide the secret that is open", group: "In a list" },
  runAgent: { keys: ["shift+r"], label: "Run the agent, or cancel its run", group: "In a list" },
  pauseAgent: { keys: ["shift+p"], label: "Pause or resume the agent", group: "In a list" },

  complete: { keys: ["mod+enter"], label: "Mark as done, or to do again", group: "The task under the cursor" },
  status: { keys: ["s"], label: "Change the status", group: "The task under the cursor" },
  priority: { keys: ["p"], label: "Change the priority", group: "The task under the cursor" },
  due: { keys: ["d"], label: "Change the due date", group: "The task under the cursor" },
  project: { keys: ["m"], label: "Move to a project", group: "The task under the cursor" },
  tags: { keys: ["t"], label: "Change the tags", group: "The task under the cursor" },

  columnLeft: { keys: ["arrowleft", "h"], label: "Go one column to the left", group: "On the board" },
  columnRight: { keys: ["arrowright", "l"], label: "Go one column to the right", group: "On the board" },
  moveLeft: { keys: ["shift+arrowleft"], label: "Move the task one column to the left", group: "On the board" },
  moveRight: { keys: ["shift+arrowright"], label: "Move the task one column to the right", group: "On the board" },

  fileOpen: { keys: ["enter"], label: "Open, or fold and unfold", group: "Among the files" },
  folderOpen: { keys: ["arrowright", "l"], label: "Unfold the folder", group: "Among the files" },
  folderClose: { keys: ["arrowleft", "h"], label: "Fold the folder", group: "Among the files" },
  fileRename: { keys: ["f2", "e"], label: "Rename", group: "Among the files" },
  fileMove: { keys: ["m"], label: "Move to a folder", group: "Among the files" },
  fileDelete: { keys: ["delete", "backspace"], label: "Delete", group: "Among the files" },
  newFolder: { keys: ["shift+c"], label: "Create a folder", group: "Among the files" },
  documentPanel: { keys: ["]"], label: "Show or hide the panel", group: "Among the files" },

  readingView: { keys: ["mod+e"], label: "Switch between writing and reading", group: "While writing" },
  bold: { keys: ["mod+b"], label: "Bold", group: "While writing" },
  italic: { keys: ["mod+i"], label: "Italic", group: "While writing" },
  taskLine: { keys: ["mod+enter"], label: "Make a task, tick it, untick it", group: "While writing" },
  findInText: { keys: ["mod+f"], label: "Find in the text", group: "While writing" },
  saveNow: { keys: ["mod+s"], label: "Save now", group: "While writing" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof SHORTCUTS;
