-- CreateEnum
CREATE TYPE "search_source" AS ENUM ('task', 'document', 'conversation', 'message', 'agent', 'run', 'secret', 'memory', 'prompt');

-- CreateTable
CREATE TABLE "search_entries" (
    "id" BIGSERIAL NOT NULL,
    "source" "search_source" NOT NULL,
    "source_id" UUID NOT NULL,
    "shown_id" TEXT NOT NULL,
    "title" TEXT COLLATE "C" NOT NULL,
    "vector" tsvector NOT NULL,
    "dictionary" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "search_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_changes" (
    "number" BIGSERIAL NOT NULL,
    "source" "search_source" NOT NULL,
    "source_id" UUID NOT NULL,

    CONSTRAINT "search_changes_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "search_words" (
    "id" SERIAL NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "search_words_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "search_entries_vector_idx" ON "search_entries" USING GIN ("vector");

-- CreateIndex
CREATE INDEX "search_entries_dictionary_idx" ON "search_entries"("dictionary");

-- CreateIndex
CREATE INDEX "search_entries_title_occurred_at_idx" ON "search_entries"("title", "occurred_at" DESC);

-- CreateIndex
CREATE INDEX "search_entries_source_occurred_at_idx" ON "search_entries"("source", "occurred_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "search_entries_source_source_id_key" ON "search_entries"("source", "source_id");

-- CreateIndex
CREATE INDEX "search_words_word_idx" ON "search_words"("word");

-- A vector takes up to a page, and is read where its row is, as those of memories.
ALTER TABLE "search_entries" SET (toast_tuple_target = 8160);
ALTER TABLE "search_entries" ALTER COLUMN "vector" SET STATISTICS 200;

-- Whatever changes a row, be it a service, a cascade or a restored backup, has its entry written again.
CREATE FUNCTION "note_search_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_changes" ("source", "source_id")
  VALUES (TG_ARGV[0]::"search_source", CASE WHEN TG_OP = 'DELETE' THEN OLD."id" ELSE NEW."id" END);
  RETURN NULL;
END $$;

CREATE FUNCTION "note_searched_text"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "search_changes" ("source", "source_id") VALUES ('document', NEW."document_id");
  RETURN NULL;
END $$;

CREATE FUNCTION "forget_searched_prompts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "search_changes" WHERE "source" = 'prompt';
  DELETE FROM "search_entries" WHERE "source" = 'prompt';
  RETURN NULL;
END $$;

CREATE TRIGGER "tasks_searched" AFTER INSERT OR DELETE OR UPDATE OF "title", "description", "tags", "modified_at", "deleted_at"
  ON "tasks" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('task');
CREATE TRIGGER "documents_searched" AFTER INSERT OR DELETE OR UPDATE OF "title", "path", "tags", "modified_at", "deleted_at"
  ON "documents" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('document');
CREATE TRIGGER "document_texts_searched" AFTER INSERT OR UPDATE OF "content", "search_text"
  ON "document_texts" FOR EACH ROW EXECUTE FUNCTION "note_searched_text"();
CREATE TRIGGER "conversations_searched" AFTER INSERT OR DELETE OR UPDATE OF "title", "summary"
  ON "conversations" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('conversation');
CREATE TRIGGER "messages_searched" AFTER INSERT OR DELETE OR UPDATE OF "content"
  ON "messages" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('message');
CREATE TRIGGER "agents_searched" AFTER INSERT OR DELETE OR UPDATE OF "name", "description", "prompt"
  ON "agents" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('agent');
CREATE TRIGGER "runs_ended" AFTER INSERT OR UPDATE OF "status" ON "agent_runs" FOR EACH ROW
  WHEN (NEW."status" <> 'running') EXECUTE FUNCTION "note_search_change"('run');
CREATE TRIGGER "runs_deleted" AFTER DELETE
  ON "agent_runs" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('run');
CREATE TRIGGER "secrets_searched" AFTER INSERT OR DELETE OR UPDATE OF "key", "description"
  ON "secrets" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('secret');
CREATE TRIGGER "memories_searched" AFTER INSERT OR DELETE OR UPDATE OF "content", "deleted_at"
  ON "memory_chunks" FOR EACH ROW EXECUTE FUNCTION "note_search_change"('memory');
CREATE TRIGGER "prompts_recorded" AFTER INSERT ON "hook_events" FOR EACH ROW
  WHEN (NEW."event_type" = 'UserPromptSubmit') EXECUTE FUNCTION "note_search_change"('prompt');
CREATE TRIGGER "prompts_deleted" AFTER DELETE ON "hook_events" FOR EACH ROW
  WHEN (OLD."event_type" = 'UserPromptSubmit') EXECUTE FUNCTION "note_search_change"('prompt');
CREATE TRIGGER "prompts_truncated" AFTER TRUNCATE
  ON "hook_events" FOR EACH STATEMENT EXECUTE FUNCTION "forget_searched_prompts"();

-- What is there already is indexed in the background after the start, the last first. Reads ids only: about a second for a
-- million rows, during which these tables can be read, but not changed.
INSERT INTO "search_changes" ("source", "source_id")
SELECT "source", "id" FROM (
  SELECT 'prompt'::"search_source" AS "source", "id", "created_at" AS "at" FROM "hook_events" WHERE "event_type" = 'UserPromptSubmit'
  UNION ALL SELECT 'run', "id", "started_at" FROM "agent_runs" WHERE "status" <> 'running'
  UNION ALL SELECT 'message', "id", "created_at" FROM "messages"
  UNION ALL SELECT 'memory', "id", "created_at" FROM "memory_chunks" WHERE "deleted_at" IS NULL
  UNION ALL SELECT 'conversation', "id", "started_at" FROM "conversations"
  UNION ALL SELECT 'document', "id", "modified_at" FROM "documents" WHERE "deleted_at" IS NULL
  UNION ALL SELECT 'task', "id", "modified_at" FROM "tasks" WHERE "deleted_at" IS NULL
  UNION ALL SELECT 'agent', "id", "updated_at" FROM "agents"
  UNION ALL SELECT 'secret', "id", "updated_at" FROM "secrets"
) AS "searched" ORDER BY "at";
