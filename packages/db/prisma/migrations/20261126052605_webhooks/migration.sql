-- CreateEnum
CREATE TYPE "webhook_delivery_status" AS ENUM ('pending', 'delivered', 'failed');

-- CreateTable
CREATE TABLE "webhooks" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "creator_id" UUID NOT NULL,
    "api_key_id" UUID,
    "last_seq" BIGINT NOT NULL,
    "claim_id" UUID,
    "claimed_until" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "number" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "resource_id" TEXT NOT NULL,
    "resource_name" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "body" TEXT,
    "status" "webhook_delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_attempt_at" TIMESTAMPTZ(3),
    "response_status" INTEGER,
    "response_text" TEXT,
    "problem" TEXT,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE INDEX "webhooks_creator_id_idx" ON "webhooks"("creator_id");

-- CreateIndex
CREATE INDEX "webhooks_api_key_id_idx" ON "webhooks"("api_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_id_key" ON "webhook_deliveries"("id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_number_idx" ON "webhook_deliveries"("webhook_id", "number" DESC);

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What is to be delivered next.
CREATE INDEX "webhook_deliveries_pending_idx" ON "webhook_deliveries"("webhook_id", "number") WHERE "status" = 'pending';

-- However a webhook ends, also with its key, so does its secret.
CREATE FUNCTION "delete_webhook_secret"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM settings WHERE key = 'sealed.webhook.' || OLD.id;
  RETURN NULL;
END $$;

CREATE TRIGGER "webhooks_deleted" AFTER DELETE ON "webhooks"
  FOR EACH ROW EXECUTE FUNCTION "delete_webhook_secret"();
