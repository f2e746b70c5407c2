-- CreateTable
CREATE TABLE "kept_responses" (
    "api_key_id" UUID NOT NULL,
    "idempotency_key" VARCHAR(255) NOT NULL,
    "request_hash" TEXT NOT NULL,
    "process_id" UUID,
    "status" INTEGER,
    "entity_tag" TEXT,
    "body" TEXT,
    "is_sealed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_responses_pkey" PRIMARY KEY ("api_key_id","idempotency_key")
);

-- CreateIndex
CREATE INDEX "kept_responses_created_at_idx" ON "kept_responses"("created_at");

-- AddForeignKey
ALTER TABLE "kept_responses" ADD CONSTRAINT "kept_responses_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
