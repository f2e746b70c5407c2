-- A document whose text has been written is indexed when the new text is stored, a moment later, and no longer before that as well,
-- with the text that it had. Files without text, moves, and what people change of a document are noted as before.
DROP TRIGGER "documents_searched" ON "documents";
CREATE TRIGGER "documents_searched" AFTER INSERT OR DELETE ON "documents"
  FOR EACH ROW EXECUTE FUNCTION "note_search_change"('document');
CREATE TRIGGER "changed_documents_searched" AFTER UPDATE OF "title", "path", "tags", "modified_at", "deleted_at" ON "documents"
  FOR EACH ROW WHEN (
    NEW."content_hash" = OLD."content_hash" OR NEW."file_type" = 'binary' OR NEW."path" <> OLD."path"
    OR NEW."deleted_at" IS DISTINCT FROM OLD."deleted_at"
  ) EXECUTE FUNCTION "note_search_change"('document');
