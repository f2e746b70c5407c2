/** Where the note of today is; the page replaces the word by the date. */
export const TODAY = { to: "/documents", search: { day: "today" } } as const;
