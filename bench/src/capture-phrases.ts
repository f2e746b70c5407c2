/**
 * How well tasks are read from texts, beside chrono-node, which reads the first date of a text. Prints, for each table of phrases,
 * the share whose due date and time are as meant, and how many are given a date that is not meant.
 */
import * as english from "chrono-node/en";
import * as german from "chrono-node/de";
import {
  dueOf,
  isWrongDue,
  meantDueOf,
  PHRASE_TABLES,
  phraseClock,
  readPhrase,
  readPhrases,
  type Phrase,
} from "../../packages/core/testing/capture-phrases.ts";

const { date, time } = phraseClock(0);
const now = new Date(`${date}T${time}:00`);
const two = (value: number) => String(value).padStart(2, "0");

type Library = Pick<typeof english, "casual" | "strict">;

/** The first date that chrono finds, with its time if the text has one. */
function readWith(chrono: Library["casual"], { text }: Phrase): string {
  const [found] = chrono.parse(text, now, { forwardDate: true });
  if (found === undefined) return "";
  const read = found.start.date();
  const day = `${read.getFullYear()}-${two(read.getMonth() + 1)}-${two(read.getDate())}`;
  return found.start.isCertain("hour") ? `${day} ${two(read.getHours())}:${two(read.getMinutes())}` : day;
}

for (const [name, language] of PHRASE_TABLES) {
  // A date does not express how often a task repeats.
  const phrases = readPhrases(name, language).filter(({ fields }) => !fields.includes("RRULE"));
  const library: Library = name === "german" ? german : english;
  const readers: readonly (readonly [string, (phrase: Phrase) => string])[] = [
    ["ours", (phrase) => dueOf(readPhrase(phrase, { readsRepeats: false }))],
    ["chrono", (phrase) => readWith(library.casual, phrase)],
    ["chrono, strict", (phrase) => readWith(library.strict, phrase)],
  ];
  console.log(`${phrases.length} phrases in ${name}`);
  for (const [reader, read] of readers) {
    const results = phrases.map((phrase) => ({ phrase, due: read(phrase) }));
    const meant = results.filter(({ phrase, due }) => due === meantDueOf(phrase)).length;
    const wrong = results.filter(({ phrase, due }) => isWrongDue(due, phrase)).length;
    const share = ((100 * meant) / phrases.length).toFixed(1);
    console.log(`  ${reader.padEnd(15)} ${share.padStart(5)} % as meant, ${wrong} with a wrong date`);
  }
}
