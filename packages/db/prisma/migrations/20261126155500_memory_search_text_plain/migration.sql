-- A search for a part of a word reads thousands of these texts to find a few, and unpacking takes longer than reading. Texts that are
-- stored already stay compressed until they are written again. Locks the table for a moment.
ALTER TABLE "memory_chunks" ALTER COLUMN "search_text" SET STORAGE EXTERNAL;
