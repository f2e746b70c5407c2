/** Queries to begin with, by what they show. */
export const QUERY_EXAMPLES: readonly { readonly name: string; readonly text: string }[] = [
  {
    name: "tasks that are due soon",
    text: "from tasks\nwhere due <= today + 7d and status != done\nsort due, priority desc",
  },
  {
    name: "notes with a tag, as a table",
    text: "from notes\nwhere #book\nsort title\ncolumns title, author, rating",
  },
  {
    name: "notes changed this week",
    text: "from notes\nwhere modified = this week\nsort modified desc\nlimit 20",
  },
];

/** A query as it stands in a note. */
export function queryBlock(text: string): string {
  return `\`\`\`query\n${text}\n\`\`\`\n`;
}
