-- Replaces: e0b9116856813547df2d77ee896be16c566c0a5f47d734969bd3bd3032b2e61c
-- (The same tables from another text, which failed where they held rows.)

-- DropIndex
DROP INDEX "memory_chunks_relevance_score_created_at_idx";

-- DropIndex
DROP INDEX "memory_extractions_transcript_hash_key";

-- AlterTable
ALTER TABLE "memory_chunks" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "merged_into_id" UUID;

-- AlterTable
ALTER TABLE "memory_extractions" RENAME COLUMN "transcript_hash" TO "window_hash";

-- CreateTable
CREATE TABLE "hook_hourly_counts" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "event_type" "hook_event_type" NOT NULL,
    "tool_name" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "blocked" INTEGER NOT NULL,
    "timed" INTEGER NOT NULL,
    "duration_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "hook_hourly_counts_pkey" PRIMARY KEY ("hour","event_type","tool_name")
);

-- CreateTable
CREATE TABLE "hook_stale_hours" (
    "hour" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hook_stale_hours_pkey" PRIMARY KEY ("hour")
);

-- CreateIndex
CREATE INDEX "hook_events_event_type_created_at_id_idx" ON "hook_events"("event_type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "memory_chunks_created_at_id_idx" ON "memory_chunks"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "memory_chunks_relevance_score_created_at_id_idx" ON "memory_chunks"("relevance_score" DESC, "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "memory_chunks_near_duplicate_of_id_idx" ON "memory_chunks"("near_duplicate_of_id");

-- CreateIndex
CREATE INDEX "memory_chunks_deleted_at_idx" ON "memory_chunks"("deleted_at");

-- CreateIndex
CREATE UNIQUE INDEX "memory_extractions_window_hash_key" ON "memory_extractions"("window_hash");

-- What follows is written by hand: Prisma cannot say it.

-- Hours are counted some minutes after they ended, so only an event that arrives late can make a count wrong, and only such
-- an event pays for this: the condition is checked without calling the function.
CREATE FUNCTION "mark_hook_hour_stale"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "hook_stale_hours" ("hour")
  VALUES (date_bin('1 hour', CASE WHEN TG_OP = 'DELETE' THEN OLD."created_at" ELSE NEW."created_at" END, 'epoch'))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "hook_events_late" AFTER INSERT ON "hook_events"
  FOR EACH ROW WHEN (NEW."created_at" < now() - interval '5 minutes') EXECUTE FUNCTION "mark_hook_hour_stale"();

CREATE TRIGGER "hook_events_changed" AFTER UPDATE OR DELETE ON "hook_events"
  FOR EACH ROW EXECUTE FUNCTION "mark_hook_hour_stale"();

-- Every server process holds the secrets' values to keep them out of texts; this tells them to read them again.
CREATE FUNCTION "notify_secrets_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('workspace_secrets', '');
  RETURN NULL;
END $$;

CREATE TRIGGER "secrets_changed" AFTER INSERT OR UPDATE OR DELETE ON "secrets"
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_secrets_changed"();
