-- CreateTable
CREATE TABLE "file_touches" (
    "event_id" UUID NOT NULL,
    "path" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "project" TEXT NOT NULL,
    "root" TEXT NOT NULL,
    "is_whole" BOOLEAN NOT NULL,
    "written_keys" INTEGER[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "file_touches_pkey" PRIMARY KEY ("event_id","path")
);

-- CreateIndex
CREATE INDEX "file_touches_path_project_created_at_idx" ON "file_touches"("path", "project", "created_at" DESC);

-- CreateIndex
CREATE INDEX "file_touches_root_created_at_idx" ON "file_touches"("root", "created_at" DESC);

-- CreateIndex
CREATE INDEX "file_touches_written_keys_idx" ON "file_touches" USING GIN ("written_keys");

-- CreateIndex
CREATE INDEX "memory_citations_path_idx" ON "memory_citations" USING HASH ("path");

-- A question must not have to read the keys of thousands of edits that are not in the index yet.
ALTER INDEX "file_touches_written_keys_idx" SET (fastupdate = off);

CREATE FUNCTION "forget_file_touches"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    TRUNCATE "file_touches";
  ELSE
    DELETE FROM "file_touches" WHERE "event_id" IN (SELECT "id" FROM removed);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "hook_events_removed" AFTER DELETE ON "hook_events" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_file_touches"();

CREATE TRIGGER "hook_events_truncated" AFTER TRUNCATE ON "hook_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_file_touches"();
