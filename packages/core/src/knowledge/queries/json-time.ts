/** A time as text in JSON, as everywhere in responses. */
export function jsonTime(column: string): string {
  return `to_jsonb(to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}
