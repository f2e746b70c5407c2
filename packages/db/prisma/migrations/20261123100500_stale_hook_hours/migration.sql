-- A mark that was there already could be taken by a count that did not see the event yet, and the event was never counted. Now
-- whoever relies on a mark keeps it from being taken until the end of the transaction.
CREATE OR REPLACE FUNCTION "mark_hook_hour_stale"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stale_hour timestamptz := date_bin('1 hour', CASE WHEN TG_OP = 'DELETE' THEN OLD."created_at" ELSE NEW."created_at" END, 'epoch');
BEGIN
  LOOP
    PERFORM FROM "hook_stale_hours" WHERE "hour" = stale_hour FOR KEY SHARE;
    EXIT WHEN FOUND;
    INSERT INTO "hook_stale_hours" ("hour") VALUES (stale_hour) ON CONFLICT DO NOTHING;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN NULL;
END $$;

-- Hours of which events were missed until now are counted again.
INSERT INTO "hook_stale_hours" ("hour") SELECT DISTINCT "hour" FROM "hook_hourly_counts" ON CONFLICT DO NOTHING;
