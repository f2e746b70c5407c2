-- The planner must know a rare search term from a common one: with the usual hundred sample values a single lucky match
-- makes it read the whole table in the order of the list instead of asking the trigram index.
ALTER TABLE "tasks" ALTER COLUMN "search_text" SET STATISTICS 1000;
