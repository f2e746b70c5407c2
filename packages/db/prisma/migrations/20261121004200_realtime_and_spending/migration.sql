-- Replaces: 2482ecb1a23bc71e943daa1dc658b7cf64a2823e4bff811046ffe763c899fed2
-- (The same tables from another text, which failed where they held rows.)

-- DropIndex
DROP INDEX "change_events_created_at_idx";

-- DropIndex
DROP INDEX "messages_conversation_id_request_id_key";

-- AlterTable
ALTER TABLE "agent_runs" DROP COLUMN "cancel_requested_at",
DROP COLUMN "lease_expires_at",
DROP COLUMN "lease_owner",
ADD COLUMN     "process_id" UUID NOT NULL DEFAULT gen_random_uuid();

-- Of no process that there is: what was under way is taken for abandoned.
ALTER TABLE "agent_runs" ALTER COLUMN "process_id" DROP DEFAULT;

-- AlterTable
ALTER TABLE "agents" DROP COLUMN "last_run_at",
DROP COLUMN "last_status",
ADD COLUMN     "scheduled_since" TIMESTAMPTZ(3) NOT NULL DEFAULT now();

ALTER TABLE "agents" ALTER COLUMN "scheduled_since" DROP DEFAULT;

-- AlterTable
ALTER TABLE "conversations" DROP COLUMN "lease_expires_at",
DROP COLUMN "lease_owner",
ADD COLUMN     "error_message" TEXT,
ADD COLUMN     "interrupt_requested_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_seq" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "process_id" UUID;

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "after_seq" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "search_text" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "sender_id" UUID;

UPDATE "messages" SET "search_text" = lower(coalesce((
  SELECT string_agg("block" ->> 'text', ' ' ORDER BY "position")
  FROM jsonb_array_elements("content") WITH ORDINALITY AS "blocks" ("block", "position")
  WHERE "block" ->> 'type' = 'text'
), '')) WHERE jsonb_typeof("content") = 'array';

ALTER TABLE "messages" ALTER COLUMN "after_seq" DROP DEFAULT,
ALTER COLUMN "search_text" DROP DEFAULT;

-- CreateTable
CREATE TABLE "chat_events" (
    "conversation_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "event" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "chat_events_pkey" PRIMARY KEY ("conversation_id","seq")
);

-- CreateTable
CREATE TABLE "spending" (
    "scope" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "spent_nano_usd" BIGINT NOT NULL DEFAULT 0,
    "reserved_nano_usd" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "spending_pkey" PRIMARY KEY ("scope","day")
);

-- CreateTable
CREATE TABLE "server_processes" (
    "id" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "server_processes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "chat_events_created_at_idx" ON "chat_events"("created_at");

-- CreateIndex
CREATE INDEX "messages_search_text_idx" ON "messages" USING GIN ("search_text" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "messages_sender_id_request_id_key" ON "messages"("sender_id", "request_id");

-- AddForeignKey
ALTER TABLE "chat_events" ADD CONSTRAINT "chat_events_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is under way is looked for often and is little.
CREATE INDEX "agent_runs_running_idx" ON "agent_runs"("agent_id") WHERE "status" = 'running';
CREATE INDEX "conversations_streaming_idx" ON "conversations"("id") WHERE "status" = 'streaming';
