/** The beginning and the end of a text that is longer than `limit`: they say what happened; the middle is mostly files and logs. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const headLength = Math.floor((limit * 2) / 3);
  return `${text.slice(0, headLength).toWellFormed()}\n[…]\n${text.slice(headLength - limit).toWellFormed()}`;
}
