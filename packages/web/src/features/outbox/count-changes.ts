/** "1 change", "3 changes" */
export function countChanges(count: number): string {
  return count === 1 ? "1 change" : `${count.toLocaleString("en")} changes`;
}
