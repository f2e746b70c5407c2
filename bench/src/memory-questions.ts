/**
 * How well search finds the answers to questions about several software projects, by the question set of the tests, beside
 * BM25 and SQLite's FTS5 over the same texts, and with vectors:
 *
 *   npm run bench -- memory-questions
 */
import { loadQuestionSet } from "@workspace/core/testing";
import { compareSearch } from "./search-quality/compare-search.ts";

await compareSearch("questions", [loadQuestionSet()]);
