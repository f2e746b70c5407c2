/** The headings under which shortcuts are listed. */
export const SHORTCUT_GROUPS = [
  "Anywhere",
  "Lists",
  "Task under the cursor",
  "Board",
  "Files",
  "Editor",
  "Chat",
  "Approvals",
  "Session",
] as const;

export interface Shortcut {
  /**
   * Alternatives, each with keys joined by `+` and steps separated by a space: `mod+k`, `g t`. `mod` is ⌘ on Apple systems
   * and Ctrl elsewhere. Keys are named as in `KeyboardEvent.key`, in lower case.
   */
  readonly keys: readonly string[];
  readonly label: string;
  readonly group: (typeof SHORTCUT_GROUPS)[number];
}

/**
 * All shortcuts; tooltips, menus and the shortcut map read from here. `g` followed by a letter is defined in the table of
 * pages.
 */
export const SHORTCUTS = {
  palette: { keys: ["mod+k"], label: "Search or run a command", group: "Anywhere" },
  create: { keys: ["c"], label: "Create an item on this page", group: "Anywhere" },
  find: { keys: ["/"], label: "Filter this page, or search", group: "Anywhere" },
  back: { keys: ["escape"], label: "Close or go back", group: "Anywhere" },
  undo: { keys: ["mod+z"], label: "Undo the last change", group: "Anywhere" },
  markRead: { keys: ["shift+m"], label: "Mark the news on Home as read", group: "Anywhere" },
  today: { keys: ["n"], label: "Open today's note", group: "Anywhere" },
  sidebar: { keys: ["["], label: "Show or hide the sidebar", group: "Anywhere" },
  unread: { keys: ["mod+."], label: "Leave what was just recognised in the title", group: "Anywhere" },
  map: { keys: ["?"], label: "Show all shortcuts", group: "Anywhere" },

  next: { keys: ["j", "arrowdown"], label: "Next", group: "Lists" },
  previous: { keys: ["k", "arrowup"], label: "Previous", group: "Lists" },
  select: { keys: ["x"], label: "Select", group: "Lists" },
  extendDown: { keys: ["shift+j", "shift+arrowdown"], label: "Extend the selection down", group: "Lists" },
  extendUp: { keys: ["shift+k", "shift+arrowup"], label: "Extend the selection up", group: "Lists" },
  selectAll: { keys: ["mod+a"], label: "Select all", group: "Lists" },
  view: { keys: ["v"], label: "Switch the view", group: "Lists" },
  open: { keys: ["enter"], label: "Open", group: "Lists" },
  edit: { keys: ["e"], label: "Edit in place", group: "Lists" },
  delete: { keys: ["delete", "backspace"], label: "Delete", group: "Lists" },
  keep: { keys: ["y"], label: "Keep the memories under review", group: "Lists" },
  merge: { keys: ["m"], label: "Merge the selected memories", group: "Lists" },
  reveal: { keys: ["r"], label: "Reveal or hide the open secret", group: "Lists" },
  runAgent: { keys: ["shift+r"], label: "Run the agent, or cancel its run", group: "Lists" },
  pauseAgent: { keys: ["shift+p"], label: "Pause or resume the agent", group: "Lists" },

  filter: { keys: ["f"], label: "Filter by an expression", group: "Lists" },
  layoutList: { keys: ["1"], label: "Tasks as a list", group: "Lists" },
  layoutBoard: { keys: ["2"], label: "Tasks as a board", group: "Lists" },
  layoutCalendar: { keys: ["3"], label: "Tasks in a calendar", group: "Lists" },
  layoutUpcoming: { keys: ["4"], label: "Tasks of the next days", group: "Lists" },
  layoutReady: { keys: ["5"], label: "Tasks that are ready, and who has claimed what", group: "Lists" },

  complete: { keys: ["mod+enter"], label: "Mark as done, or to do", group: "Task under the cursor" },
  status: { keys: ["s"], label: "Change the status", group: "Task under the cursor" },
  priority: { keys: ["p"], label: "Change the priority", group: "Task under the cursor" },
  due: { keys: ["d"], label: "Change the due date", group: "Task under the cursor" },
  dueTomorrow: { keys: ["shift+t"], label: "Move to tomorrow", group: "Task under the cursor" },
  dueNextWeek: { keys: ["shift+w"], label: "Move to next week", group: "Task under the cursor" },
  project: { keys: ["m"], label: "Move to a project", group: "Task under the cursor" },
  tags: { keys: ["t"], label: "Change the tags", group: "Task under the cursor" },
  repeat: { keys: ["r"], label: "Repeat, skip or repeat no more", group: "Task under the cursor" },
  snooze: { keys: ["z"], label: "Snooze", group: "Task under the cursor" },

  moveUp: { keys: ["alt+arrowup"], label: "Move up in the manual order", group: "Task under the cursor" },
  moveDown: { keys: ["alt+arrowdown"], label: "Move down in the manual order", group: "Task under the cursor" },
  indent: {
    keys: ["shift+arrowright", "mod+]"],
    label: "Make it a subtask of the task above",
    group: "Task under the cursor",
  },
  outdent: {
    keys: ["shift+arrowleft", "mod+["],
    label: "Move it out of its parent",
    group: "Task under the cursor",
  },
  unfold: { keys: ["arrowright", "l"], label: "Show the subtasks", group: "Task under the cursor" },
  fold: {
    keys: ["arrowleft", "h"],
    label: "Hide the subtasks, or go to the parent",
    group: "Task under the cursor",
  },

  columnLeft: { keys: ["arrowleft", "h"], label: "Go one column to the left", group: "Board" },
  columnRight: { keys: ["arrowright", "l"], label: "Go one column to the right", group: "Board" },
  moveLeft: { keys: ["shift+arrowleft"], label: "Move the task one column to the left", group: "Board" },
  moveRight: { keys: ["shift+arrowright"], label: "Move the task one column to the right", group: "Board" },

  fileOpen: { keys: ["enter"], label: "Open, or expand and collapse", group: "Files" },
  folderOpen: { keys: ["arrowright", "l"], label: "Expand the folder", group: "Files" },
  folderClose: { keys: ["arrowleft", "h"], label: "Collapse the folder", group: "Files" },
  fileRename: { keys: ["f2", "e"], label: "Rename", group: "Files" },
  fileMove: { keys: ["m"], label: "Move to a folder", group: "Files" },
  fileDelete: { keys: ["delete", "backspace"], label: "Delete", group: "Files" },
  newFolder: { keys: ["shift+c"], label: "Create a folder", group: "Files" },
  previousDay: { keys: [","], label: "Show the day before", group: "Files" },
  nextDay: { keys: ["."], label: "Show the day after", group: "Files" },
  beside: { keys: ["\\"], label: "Show something beside the note, or close it", group: "Files" },
  otherPane: { keys: ["f6"], label: "Go to the other pane", group: "Files" },
  documentPanel: { keys: ["]"], label: "Show or hide the panel", group: "Files" },
  outline: { keys: ["o"], label: "Go to the outline of the note", group: "Files" },

  readingView: { keys: ["mod+e"], label: "Switch between editing and reading", group: "Editor" },
  bold: { keys: ["mod+b"], label: "Bold", group: "Editor" },
  italic: { keys: ["mod+i"], label: "Italic", group: "Editor" },
  taskLine: { keys: ["mod+enter"], label: "Create, tick or untick a task", group: "Editor" },
  findInText: { keys: ["mod+f"], label: "Find in the text", group: "Editor" },

  sendMessage: { keys: ["enter"], label: "Send the message", group: "Chat" },
  newLine: { keys: ["shift+enter"], label: "Start a new line", group: "Chat" },
  renameConversation: { keys: ["f2"], label: "Rename the conversation", group: "Chat" },
  stopAnswer: { keys: ["escape"], label: "Stop the answer", group: "Chat" },

  allowOnce: { keys: ["a"], label: "Allow the first call once", group: "Approvals" },
  allowHere: { keys: ["shift+a"], label: "Always allow the first call in its project", group: "Approvals" },
  deny: { keys: ["d"], label: "Deny the first call", group: "Approvals" },
  tellSession: { keys: ["t"], label: "Tell it something", group: "Session" },
  pauseSession: { keys: ["shift+p"], label: "Pause or resume it", group: "Session" },
  stopSession: { keys: ["shift+s"], label: "Stop it", group: "Session" },

  nextPrompt: { keys: ["shift+j", "shift+arrowdown"], label: "Next prompt", group: "Session" },
  previousPrompt: { keys: ["shift+k", "shift+arrowup"], label: "Previous prompt", group: "Session" },
  unfoldStep: { keys: ["arrowright", "l"], label: "Show what it consists of", group: "Session" },
  foldStep: { keys: ["arrowleft", "h"], label: "Hide what it consists of, or go to the prompt", group: "Session" },
  unfoldAll: { keys: ["shift+l"], label: "Show or hide the steps of all prompts", group: "Session" },
  filterCalls: { keys: ["f"], label: "Show only failed, blocked or asked calls", group: "Session" },

  saveNow: { keys: ["mod+s"], label: "Save now", group: "Editor" },
} as const satisfies Record<string, Shortcut>;

export type ShortcutId = keyof typeof SHORTCUTS;
