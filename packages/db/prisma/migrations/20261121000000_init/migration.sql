-- Trigrams make a partial match an index look-up.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateEnum
CREATE TYPE "task_status" AS ENUM ('todo', 'in_progress', 'done', 'blocked');

-- CreateEnum
CREATE TYPE "file_type" AS ENUM ('markdown', 'text', 'binary');

-- CreateEnum
CREATE TYPE "share_type" AS ENUM ('public', 'private');

-- CreateEnum
CREATE TYPE "run_status" AS ENUM ('running', 'success', 'error', 'budget_exceeded', 'cancelled');

-- CreateEnum
CREATE TYPE "run_trigger" AS ENUM ('schedule', 'manual', 'api');

-- CreateEnum
CREATE TYPE "tick_outcome" AS ENUM ('started', 'skipped_overlap', 'skipped_late');

-- CreateEnum
CREATE TYPE "conversation_status" AS ENUM ('idle', 'streaming', 'interrupted', 'error');

-- CreateEnum
CREATE TYPE "message_role" AS ENUM ('user', 'assistant');

-- CreateEnum
CREATE TYPE "chunk_type" AS ENUM ('decision', 'fact', 'solution', 'pattern', 'preference', 'summary');

-- CreateEnum
CREATE TYPE "hook_event_type" AS ENUM ('SessionStart', 'SessionEnd', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit');

-- CreateEnum
CREATE TYPE "usage_source" AS ENUM ('chat', 'agent', 'memory_extraction');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "status" "task_status" NOT NULL DEFAULT 'todo',
    "priority" SMALLINT NOT NULL DEFAULT 2,
    "project_id" UUID,
    "creator_id" UUID NOT NULL,
    "due_date" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "search_text" TEXT NOT NULL,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "documents" (
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "file_type" "file_type" NOT NULL,
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "share_type" "share_type",
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "project_id" UUID,
    "creator_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "content" TEXT,
    "mtime_ns" BIGINT NOT NULL,
    "inode" BIGINT NOT NULL,
    "trash_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "modified_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),
    "search_text" TEXT NOT NULL,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_versions" (
    "id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "path" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_versions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "schedule" TEXT NOT NULL,
    "timezone" TEXT,
    "prompt" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "max_turns" INTEGER NOT NULL DEFAULT 50,
    "max_budget_usd" DECIMAL(18,9),
    "daily_budget_usd" DECIMAL(18,9),
    "tools" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "restricts_tools" BOOLEAN NOT NULL DEFAULT false,
    "last_run_at" TIMESTAMPTZ(3),
    "last_status" "run_status",
    "creator_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_runs" (
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "status" "run_status" NOT NULL,
    "trigger" "run_trigger" NOT NULL,
    "output" TEXT NOT NULL DEFAULT '',
    "error_message" TEXT,
    "steps" JSONB NOT NULL DEFAULT '[]',
    "model" TEXT,
    "cost_usd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "is_cost_known" BOOLEAN NOT NULL DEFAULT true,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "num_turns" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "lease_owner" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_ticks" (
    "agent_id" UUID NOT NULL,
    "tick_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" "tick_outcome" NOT NULL,
    "run_id" UUID,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_ticks_pkey" PRIMARY KEY ("agent_id","tick_at")
);

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "session_id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT NOT NULL DEFAULT '',
    "status" "conversation_status" NOT NULL DEFAULT 'idle',
    "total_cost_usd" DECIMAL(18,9) NOT NULL DEFAULT 0,
    "is_cost_known" BOOLEAN NOT NULL DEFAULT true,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "creator_id" UUID NOT NULL,
    "lease_owner" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "role" "message_role" NOT NULL,
    "content" JSONB NOT NULL,
    "request_id" TEXT,
    "cost_usd" DECIMAL(18,9),
    "duration_ms" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memory_chunks" (
    "id" UUID NOT NULL,
    "session_id" TEXT,
    "project_path" TEXT,
    "chunk_type" "chunk_type" NOT NULL,
    "content" TEXT NOT NULL,
    "source_excerpt" TEXT,
    "relevance_score" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "access_count" INTEGER NOT NULL DEFAULT 0,
    "last_accessed_at" TIMESTAMPTZ(3),
    "content_key" TEXT NOT NULL,
    "near_duplicate_of_id" UUID,
    "extraction_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "search_text" TEXT NOT NULL,

    CONSTRAINT "memory_chunks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memory_extractions" (
    "id" UUID NOT NULL,
    "transcript_hash" TEXT NOT NULL,
    "session_id" TEXT,
    "project_path" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memory_extractions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hook_events" (
    "id" UUID NOT NULL,
    "event_type" "hook_event_type" NOT NULL,
    "session_id" TEXT,
    "project_dir" TEXT,
    "tool_name" TEXT,
    "tool_matcher" TEXT,
    "event_data" JSONB,
    "exit_code" INTEGER,
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "block_reason" TEXT,
    "duration_ms" DOUBLE PRECISION,
    "hook_script" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hook_policies" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "document" JSONB NOT NULL,
    "version" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "hook_policies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_records" (
    "id" UUID NOT NULL,
    "source" "usage_source" NOT NULL,
    "source_id" TEXT,
    "source_name" TEXT,
    "model" TEXT,
    "input_tokens" INTEGER NOT NULL,
    "cached_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL,
    "cost_usd" DECIMAL(18,9) NOT NULL,
    "is_cost_known" BOOLEAN NOT NULL DEFAULT true,
    "duration_ms" INTEGER,
    "num_turns" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "search_text" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "usage_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assistant_usage" (
    "id" UUID NOT NULL,
    "session_id" TEXT NOT NULL,
    "project_path" TEXT,
    "message_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "model" TEXT,
    "input_tokens" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "cache_creation_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cache_read_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost_usd" DECIMAL(18,9),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_usage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secrets" (
    "id" UUID NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "envelope" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secrets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret_accesses" (
    "id" UUID NOT NULL,
    "secret_key" VARCHAR(255) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secret_accesses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "creator_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "credit_entries" (
    "id" UUID NOT NULL,
    "delta" INTEGER NOT NULL,
    "balance_after" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "run_id" UUID,
    "api_key_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "credit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotent_responses" (
    "api_key_id" UUID NOT NULL,
    "key" VARCHAR(255) NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "body" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_responses_pkey" PRIMARY KEY ("api_key_id","key")
);

-- CreateTable
CREATE TABLE "change_events" (
    "seq" BIGSERIAL NOT NULL,
    "resource" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "resource_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "change_events_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "settings" (
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "tasks_created_at_id_idx" ON "tasks"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tasks_status_created_at_id_idx" ON "tasks"("status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tasks_project_id_created_at_id_idx" ON "tasks"("project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tasks_creator_id_idx" ON "tasks"("creator_id");

-- CreateIndex
CREATE INDEX "tasks_search_text_idx" ON "tasks" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "documents_modified_at_id_idx" ON "documents"("modified_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "documents_project_id_modified_at_idx" ON "documents"("project_id", "modified_at" DESC);

-- CreateIndex
CREATE INDEX "documents_creator_id_idx" ON "documents"("creator_id");

-- CreateIndex
CREATE INDEX "documents_content_hash_idx" ON "documents"("content_hash");

-- CreateIndex
CREATE INDEX "documents_search_text_idx" ON "documents" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "document_versions_document_id_created_at_idx" ON "document_versions"("document_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "document_versions_content_hash_idx" ON "document_versions"("content_hash");

-- CreateIndex
CREATE INDEX "agents_creator_id_idx" ON "agents"("creator_id");

-- CreateIndex
CREATE INDEX "agent_runs_agent_id_started_at_idx" ON "agent_runs"("agent_id", "started_at" DESC);

-- CreateIndex
CREATE INDEX "agent_runs_started_at_idx" ON "agent_runs"("started_at");

-- CreateIndex
CREATE INDEX "conversations_started_at_id_idx" ON "conversations"("started_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversations_creator_id_idx" ON "conversations"("creator_id");

-- CreateIndex
CREATE INDEX "messages_conversation_id_created_at_id_idx" ON "messages"("conversation_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_conversation_id_request_id_key" ON "messages"("conversation_id", "request_id");

-- CreateIndex
CREATE INDEX "memory_chunks_project_path_created_at_idx" ON "memory_chunks"("project_path", "created_at" DESC);

-- CreateIndex
CREATE INDEX "memory_chunks_session_id_idx" ON "memory_chunks"("session_id");

-- CreateIndex
CREATE INDEX "memory_chunks_content_key_idx" ON "memory_chunks"("content_key");

-- CreateIndex
CREATE INDEX "memory_chunks_extraction_id_idx" ON "memory_chunks"("extraction_id");

-- CreateIndex
CREATE INDEX "memory_chunks_relevance_score_created_at_idx" ON "memory_chunks"("relevance_score" DESC, "created_at" DESC);

-- CreateIndex
CREATE INDEX "memory_chunks_search_text_idx" ON "memory_chunks" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "memory_extractions_transcript_hash_key" ON "memory_extractions"("transcript_hash");

-- CreateIndex
CREATE INDEX "memory_extractions_session_id_idx" ON "memory_extractions"("session_id");

-- CreateIndex
CREATE INDEX "hook_events_created_at_id_idx" ON "hook_events"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "hook_events_session_id_created_at_idx" ON "hook_events"("session_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "hook_events_tool_name_created_at_idx" ON "hook_events"("tool_name", "created_at" DESC);

-- CreateIndex
CREATE INDEX "usage_records_created_at_id_idx" ON "usage_records"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "usage_records_source_created_at_idx" ON "usage_records"("source", "created_at" DESC);

-- CreateIndex
CREATE INDEX "usage_records_search_text_idx" ON "usage_records" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "assistant_usage_created_at_idx" ON "assistant_usage"("created_at" DESC);

-- CreateIndex
CREATE INDEX "assistant_usage_session_id_idx" ON "assistant_usage"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "assistant_usage_message_id_request_id_key" ON "assistant_usage"("message_id", "request_id");

-- CreateIndex
CREATE UNIQUE INDEX "secrets_key_key" ON "secrets"("key");

-- CreateIndex
CREATE INDEX "secret_accesses_secret_key_created_at_idx" ON "secret_accesses"("secret_key", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_key_hash_key" ON "api_keys"("key_hash");

-- CreateIndex
CREATE INDEX "api_keys_creator_id_idx" ON "api_keys"("creator_id");

-- CreateIndex
CREATE INDEX "credit_entries_created_at_idx" ON "credit_entries"("created_at" DESC);

-- CreateIndex
CREATE INDEX "idempotent_responses_created_at_idx" ON "idempotent_responses"("created_at");

-- CreateIndex
CREATE INDEX "change_events_created_at_idx" ON "change_events"("created_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_versions" ADD CONSTRAINT "document_versions_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_runs" ADD CONSTRAINT "agent_runs_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_ticks" ADD CONSTRAINT "agent_ticks_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memory_chunks" ADD CONSTRAINT "memory_chunks_extraction_id_fkey" FOREIGN KEY ("extraction_id") REFERENCES "memory_extractions"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What follows is written by hand: Prisma cannot say it.

-- A path belongs to one document at a time; deleted ones keep theirs for restoring.
CREATE UNIQUE INDEX "documents_active_path_key" ON "documents"("path") WHERE "deleted_at" IS NULL;

-- Lists and statistics of blocked calls read few of very many events.
CREATE INDEX "hook_events_blocked_idx" ON "hook_events"("created_at" DESC) WHERE "blocked";

-- Every server process remembers sessions and users; this tells them what to forget.
CREATE FUNCTION "notify_credentials_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('workspace_credentials', TG_ARGV[0] || ':' || OLD."id");
  RETURN NULL;
END $$;

CREATE TRIGGER "sessions_changed" AFTER UPDATE OR DELETE ON "sessions"
  FOR EACH ROW EXECUTE FUNCTION "notify_credentials_changed"('session');

CREATE TRIGGER "users_changed" AFTER UPDATE OR DELETE ON "users"
  FOR EACH ROW EXECUTE FUNCTION "notify_credentials_changed"('user');
