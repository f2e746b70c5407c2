-- CreateTable
CREATE TABLE "assistant_session_usage" (
    "session_id" TEXT NOT NULL,
    "messages" BIGINT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cache_creation_input_tokens" BIGINT NOT NULL,
    "cache_read_input_tokens" BIGINT NOT NULL,
    "cost_usd" DECIMAL(18,9),
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_session_usage_pkey" PRIMARY KEY ("session_id")
);

-- CreateIndex
CREATE INDEX "secret_accesses_created_at_idx" ON "secret_accesses"("created_at");
