import type { ShortcutId } from "./shortcut-keys.ts";

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

interface Shortcut {
  readonly label: string;
  readonly group: (typeof SHORTCUT_GROUPS)[number];
}

/** What all shortcuts do, for the shortcut map and for tooltips; the first screen does without. */
export const SHORTCUTS = {
  palette: { label: "Search or run a command", group: "Anywhere" },
  create: { label: "Create an item on this page", group: "Anywhere" },
  find: { label: "Filter this page, or search", group: "Anywhere" },
  back: { label: "Close or go back", group: "Anywhere" },
  undo: { label: "Undo the last change", group: "Anywhere" },
  markRead: { label: "Mark the news on Home as read", group: "Anywhere" },
  today: { label: "Open today's note", group: "Anywhere" },
  sidebar: { label: "Show or hide the sidebar", group: "Anywhere" },
  unread: { label: "Leave what was just recognised in the title", group: "Anywhere" },
  map: { label: "Show all shortcuts", group: "Anywhere" },

  next: { label: "Next", group: "Lists" },
  previous: { label: "Previous", group: "Lists" },
  select: { label: "Select", group: "Lists" },
  extendDown: { label: "Extend the selection down", group: "Lists" },
  extendUp: { label: "Extend the selection up", group: "Lists" },
  selectAll: { label: "Select all", group: "Lists" },
  view: { label: "Switch the view", group: "Lists" },
  open: { label: "Open", group: "Lists" },
  edit: { label: "Edit in place", group: "Lists" },
  delete: { label: "Delete", group: "Lists" },
  keep: { label: "Keep the memories under review", group: "Lists" },
  merge: { label: "Merge the selected memories", group: "Lists" },
  reveal: { label: "Reveal or hide the open secret", group: "Lists" },
  runAgent: { label: "Run the agent, or cancel its run", group: "Lists" },
  pauseAgent: { label: "Pause or resume the agent", group: "Lists" },

  filter: { label: "Filter by an expression", group: "Lists" },
  layoutList: { label: "Tasks as a list", group: "Lists" },
  layoutBoard: { label: "Tasks as a board", group: "Lists" },
  layoutCalendar: { label: "Tasks in a calendar", group: "Lists" },
  layoutUpcoming: { label: "Tasks of the next days", group: "Lists" },
  layoutReady: { label: "Tasks that are ready, and who has claimed what", group: "Lists" },

  complete: { label: "Mark as done, or to do", group: "Task under the cursor" },
  status: { label: "Change the status", group: "Task under the cursor" },
  priority: { label: "Change the priority", group: "Task under the cursor" },
  due: { label: "Change the due date", group: "Task under the cursor" },
  dueTomorrow: { label: "Move to tomorrow", group: "Task under the cursor" },
  dueNextWeek: { label: "Move to next week", group: "Task under the cursor" },
  project: { label: "Move to a project", group: "Task under the cursor" },
  tags: { label: "Change the tags", group: "Task under the cursor" },
  repeat: { label: "Repeat, skip or repeat no more", group: "Task under the cursor" },
  snooze: { label: "Snooze", group: "Task under the cursor" },

  moveUp: { label: "Move up in the manual order", group: "Task under the cursor" },
  moveDown: { label: "Move down in the manual order", group: "Task under the cursor" },
  indent: { label: "Make it a subtask of the task above", group: "Task under the cursor" },
  outdent: { label: "Move it out of its parent", group: "Task under the cursor" },
  unfold: { label: "Show the subtasks", group: "Task under the cursor" },
  fold: { label: "Hide the subtasks, or go to the parent", group: "Task under the cursor" },

  columnLeft: { label: "Go one column to the left", group: "Board" },
  columnRight: { label: "Go one column to the right", group: "Board" },
  moveLeft: { label: "Move the task one column to the left", group: "Board" },
  moveRight: { label: "Move the task one column to the right", group: "Board" },

  fileOpen: { label: "Open, or expand and collapse", group: "Files" },
  folderOpen: { label: "Expand the folder", group: "Files" },
  folderClose: { label: "Collapse the folder", group: "Files" },
  fileRename: { label: "Rename", group: "Files" },
  fileMove: { label: "Move to a folder", group: "Files" },
  fileDelete: { label: "Delete", group: "Files" },
  newFolder: { label: "Create a folder", group: "Files" },
  previousDay: { label: "Show the day before", group: "Files" },
  nextDay: { label: "Show the day after", group: "Files" },
  beside: { label: "Show something beside the note, or close it", group: "Files" },
  otherPane: { label: "Go to the other pane", group: "Files" },
  documentPanel: { label: "Show or hide the panel", group: "Files" },
  outline: { label: "Go to the outline of the note", group: "Files" },

  readingView: { label: "Switch between editing and reading", group: "Editor" },
  bold: { label: "Bold", group: "Editor" },
  italic: { label: "Italic", group: "Editor" },
  taskLine: { label: "Create, tick or untick a task", group: "Editor" },
  findInText: { label: "Find in the text", group: "Editor" },

  sendMessage: { label: "Send the message", group: "Chat" },
  newLine: { label: "Start a new line", group: "Chat" },
  renameConversation: { label: "Rename the conversation", group: "Chat" },
  stopAnswer: { label: "Stop the answer", group: "Chat" },

  allowOnce: { label: "Allow the first call once", group: "Approvals" },
  allowHere: { label: "Always allow the first call in its project", group: "Approvals" },
  deny: { label: "Deny the first call", group: "Approvals" },
  tellSession: { label: "Tell it something", group: "Session" },
  pauseSession: { label: "Pause or resume it", group: "Session" },
  stopSession: { label: "Stop it", group: "Session" },

  nextPrompt: { label: "Next prompt", group: "Session" },
  previousPrompt: { label: "Previous prompt", group: "Session" },
  unfoldStep: { label: "Show what it consists of", group: "Session" },
  foldStep: { label: "Hide what it consists of, or go to the prompt", group: "Session" },
  unfoldAll: { label: "Show or hide the steps of all prompts", group: "Session" },
  filterCalls: { label: "Show only failed, blocked or asked calls", group: "Session" },

  saveNow: { label: "Save now", group: "Editor" },
} as const satisfies Record<ShortcutId, Shortcut>;

/** In the order of the table. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It has these keys and no others.
export const SHORTCUT_IDS = Object.keys(SHORTCUTS) as ShortcutId[];
