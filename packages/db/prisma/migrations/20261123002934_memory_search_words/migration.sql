-- The distance between a misspelt word and the words there are.
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;

-- CreateTable
CREATE TABLE "memory_search_words" (
    "id" SERIAL NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "memory_search_words_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "memory_search_words_word_idx" ON "memory_search_words"("word");

-- Reads every vector once, without a lock that anybody waits for; a minute for a million memories.
INSERT INTO "memory_search_words" ("word")
SELECT word FROM ts_stat('SELECT vector FROM memory_search_vectors') WHERE word ~ '^[[:alpha:]]{4,24}$';
