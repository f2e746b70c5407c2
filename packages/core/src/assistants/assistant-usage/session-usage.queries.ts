import { column, defineQuery } from "@workspace/db";

/** SQL for what a session has used, as a subquery: its reports, and the sums of those that were removed because they were old. */
export const usageOfSession = (sessionId: string): string => `(
  SELECT 1::bigint AS messages, input_tokens::bigint, output_tokens::bigint, cache_creation_input_tokens::bigint,
    cache_read_input_tokens::bigint, cost_usd
  FROM assistant_usage WHERE session_id = ${sessionId}
  UNION ALL
  SELECT messages, input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens, cost_usd
  FROM assistant_session_usage WHERE session_id = ${sessionId})`;

/**
 * Removes the oldest reports, no more than so many, and adds them to the sums of their sessions. In one statement, so that they are
 * counted either way, and once.
 */
export const rolledUpUsage = defineQuery({
  name: "roll-up-session-usage",
  row: { removed: column.integer.neverNull, until: column.timestamp.nullable },
  text: `
    WITH old AS MATERIALIZED (
      SELECT id FROM assistant_usage WHERE created_at >= $3 AND created_at < $1
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM assistant_usage u USING old WHERE u.id = old.id RETURNING u.*
    ), summed AS (
      INSERT INTO assistant_session_usage AS known (session_id, messages, input_tokens, output_tokens,
        cache_creation_input_tokens, cache_read_input_tokens, cost_usd, until)
      SELECT session_id, count(*), sum(input_tokens), sum(output_tokens), sum(cache_creation_input_tokens),
        sum(cache_read_input_tokens), sum(cost_usd), max(created_at)
      FROM gone GROUP BY session_id ORDER BY session_id
      ON CONFLICT (session_id) DO UPDATE SET
        messages = known.messages + excluded.messages, input_tokens = known.input_tokens + excluded.input_tokens,
        output_tokens = known.output_tokens + excluded.output_tokens,
        cache_creation_input_tokens = known.cache_creation_input_tokens + excluded.cache_creation_input_tokens,
        cache_read_input_tokens = known.cache_read_input_tokens + excluded.cache_read_input_tokens,
        cost_usd = CASE WHEN known.cost_usd IS NULL THEN excluded.cost_usd
                        ELSE known.cost_usd + COALESCE(excluded.cost_usd, 0) END,
        until = GREATEST(known.until, excluded.until)
    )
    SELECT count(*)::int AS removed, max(created_at) AS until FROM gone`,
});
