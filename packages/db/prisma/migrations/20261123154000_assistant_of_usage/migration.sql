-- AlterTable
ALTER TABLE "assistant_usage" ADD COLUMN     "assistant" TEXT;

-- Recent rows are still counted in limit windows; the ids of Claude Code's and Codex's answers are unmistakable. A million
-- rows of eight days would take several seconds, in which only this table is locked.
UPDATE "assistant_usage"
SET "assistant" = CASE WHEN "message_id" LIKE 'codex:%' THEN 'codex' ELSE 'claude-code' END
WHERE "created_at" > now() - interval '8 days'
  AND ("message_id" LIKE 'codex:%' OR ("message_id" LIKE 'msg\_%' AND "request_id" LIKE 'req\_%'));
