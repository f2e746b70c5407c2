-- CreateTable
CREATE TABLE "document_properties" (
    "document_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "shown" JSONB NOT NULL,
    "folded" JSONB NOT NULL,

    CONSTRAINT "document_properties_pkey" PRIMARY KEY ("document_id")
);

-- AddForeignKey
ALTER TABLE "document_properties" ADD CONSTRAINT "document_properties_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
