-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "folder" TEXT;

-- The tool that searches documents is named like the others for notes, and agents keep their choice under the new name.
UPDATE "agents" SET "tools" = array_replace("tools", 'documents_search', 'notes_search')
WHERE 'documents_search' = ANY("tools");
