-- Replaces: fd87d7f7dd1d59e3fa5ff55fe28e5d18328df095b897ad33261110b84a074991
-- (The same tables from another text, which failed where they held rows.)

-- CreateEnum
CREATE TYPE "credit_reason" AS ENUM ('grant', 'top_up', 'ask');

-- DropIndex
DROP INDEX "credit_entries_created_at_idx";

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "hint" TEXT NOT NULL DEFAULT '';

ALTER TABLE "api_keys" ALTER COLUMN "hint" DROP DEFAULT;

-- AlterTable
ALTER TABLE "credit_entries" ADD COLUMN     "note" TEXT,
ALTER COLUMN "reason" TYPE "credit_reason"
  USING CASE WHEN "delta" < 0 THEN 'ask' ELSE 'grant' END::"credit_reason";

-- DropTable
DROP TABLE "idempotent_responses";

-- CreateTable
CREATE TABLE "credit_pools" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "balance" INTEGER NOT NULL,
    "held" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "credit_pools_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_asks" (
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "idempotency_key" VARCHAR(255),
    "request_hash" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_name" TEXT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "message" TEXT NOT NULL,
    "credits_used" INTEGER,
    "credits_remaining" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_asks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_asks_conversation_id_created_at_idx" ON "agent_asks"("conversation_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "agent_asks_api_key_id_idempotency_key_key" ON "agent_asks"("api_key_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "credit_entries_created_at_id_idx" ON "credit_entries"("created_at" DESC, "id" DESC);

-- What follows is written by hand: Prisma cannot say it.

-- Every server process remembers keys; this tells them what to forget. A key that is only used again stays known.
CREATE TRIGGER "api_keys_changed"
  AFTER DELETE OR UPDATE OF "key_hash", "scopes", "expires_at", "creator_id" ON "api_keys"
  FOR EACH ROW EXECUTE FUNCTION "notify_credentials_changed"('api_key');

-- What is still to be charged is looked for often and is little.
CREATE INDEX "agent_asks_unsettled_idx" ON "agent_asks"("created_at") WHERE "credits_used" IS NULL;
