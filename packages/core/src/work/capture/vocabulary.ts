import { ENGLISH_MONTHS } from "../../platform/month-names.ts";

/** The language that a word belongs to. */
export type WordLanguage = "en" | "de";

const GERMAN_MONTHS = [
  "januar",
  "februar",
  "märz",
  "april",
  "mai",
  "juni",
  "juli",
  "august",
  "september",
  "oktober",
  "november",
  "dezember",
];

function indexed<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  return new Map(entries.flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)));
}

/** The month that a word names, from 1. */
export const MONTHS: ReadonlyMap<string, number> = new Map([
  ...[ENGLISH_MONTHS, GERMAN_MONTHS].flatMap((names) => names.map((name, index) => [name, index + 1] as const)),
  ...indexed([
    ["jan jän jänner jaenner", 1],
    ["feb febr feber", 2],
    ["mar mär mrz maerz", 3],
    ["apr", 4],
    ["jun", 6],
    ["jul", 7],
    ["aug", 8],
    ["sep sept", 9],
    ["oct okt", 10],
    ["nov", 11],
    ["dec dez", 12],
  ]),
]);

/** Months that English writes before the day. */
export const MONTHS_BEFORE_DAY: ReadonlySet<string> = new Set([
  ...ENGLISH_MONTHS,
  ..."jan feb mar apr jun jul aug sep sept oct nov dec".split(" "),
]);

export interface WeekdayWord {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly language: WordLanguage;
  /** Whether the word has other meanings, such as "sun" and "so". */
  readonly isAmbiguous: boolean;
}

const weekdayWord = (weekday: number, language: WordLanguage, isAmbiguous = false): WeekdayWord => ({
  weekday,
  language,
  isAmbiguous,
});

export const WEEKDAYS = indexed<WeekdayWord>([
  ["monday mon", weekdayWord(0, "en")],
  ["tuesday tue tues", weekdayWord(1, "en")],
  ["wednesday", weekdayWord(2, "en")],
  ["thursday thu thur thurs", weekdayWord(3, "en")],
  ["friday fri", weekdayWord(4, "en")],
  ["saturday", weekdayWord(5, "en")],
  ["sunday", weekdayWord(6, "en")],
  ["wed", weekdayWord(2, "en", true)],
  ["sat", weekdayWord(5, "en", true)],
  ["sun", weekdayWord(6, "en", true)],
  ["montag", weekdayWord(0, "de")],
  ["dienstag", weekdayWord(1, "de")],
  ["mittwoch", weekdayWord(2, "de")],
  ["donnerstag", weekdayWord(3, "de")],
  ["freitag", weekdayWord(4, "de")],
  ["samstag sonnabend", weekdayWord(5, "de")],
  ["sonntag", weekdayWord(6, "de")],
  ["mo", weekdayWord(0, "de", true)],
  ["di", weekdayWord(1, "de", true)],
  ["mi", weekdayWord(2, "de", true)],
  ["do", weekdayWord(3, "de", true)],
  ["fr", weekdayWord(4, "de", true)],
  ["sa", weekdayWord(5, "de", true)],
  ["so", weekdayWord(6, "de", true)],
]);

export const NUMBER_WORDS = indexed<number>([
  ["a an one ein eine einen einem einer eins", 1],
  ["two zwei", 2],
  ["three drei", 3],
  ["four vier", 4],
  ["five fünf fuenf", 5],
  ["six sechs", 6],
  ["seven sieben", 7],
  ["eight acht", 8],
  ["nine neun", 9],
  ["ten zehn", 10],
  ["eleven elf", 11],
  ["twelve zwölf zwoelf", 12],
]);

export type Unit = "minute" | "hour" | "day" | "week" | "month" | "year";

export const UNITS = indexed<Unit>([
  ["minute minutes min mins minuten", "minute"],
  ["hour hours hr hrs stunde stunden std", "hour"],
  ["day days tag tage tagen", "day"],
  ["week weeks woche wochen", "week"],
  ["month months monat monate monaten", "month"],
  ["year years jahr jahre jahren", "year"],
]);

/** A part of a day: the time that stands for it, and whether hours after it are those of the second half of the day. */
export interface DayPart {
  readonly minutes: number;
  readonly isLate: boolean;
}

const MORNING: DayPart = { minutes: 9 * 60, isLate: false };
const NOON: DayPart = { minutes: 12 * 60, isLate: true };
const AFTERNOON: DayPart = { minutes: 15 * 60, isLate: true };
export const EVENING: DayPart = { minutes: 19 * 60, isLate: true };

/** Parts of a day where they follow the day. */
export const DAY_PARTS = indexed<DayPart>([
  ["morning früh frueh vormittag morgens vormittags", MORNING],
  ["noon midday mittag mittags", NOON],
  ["afternoon nachmittag nachmittags", AFTERNOON],
  ["evening night abend abends", EVENING],
]);

/** Ends of compounds such as "Freitagabend". */
export const DAY_PART_ENDINGS: readonly (readonly [string, DayPart])[] = [
  ["früh", MORNING],
  ["morgen", MORNING],
  ["vormittag", MORNING],
  ["nachmittag", AFTERNOON],
  ["mittag", NOON],
  ["abend", EVENING],
];

/** Words that lead to a date by which, or on which, something is due. */
export const DATE_LEADS: ReadonlyMap<string, WordLanguage> = indexed<WordLanguage>([
  ["on by due until till before", "en"],
  ["am bis vor spätestens", "de"],
]);

/** Words that may stand between such a word and the date. */
export const LEAD_FILLERS: ReadonlySet<string> = new Set("on by the zum zur dem den spätestens am".split(" "));

export const TIME_LEADS: ReadonlyMap<string, WordLanguage> = indexed<WordLanguage>([
  ["at @ by before until till", "en"],
  ["um gegen bis vor", "de"],
]);

/** Before a date, these say that it belongs to the thing and not to the task. */
export const BLOCKING = new Set(
  [
    "about for from of since after than to the a an my our this last past every each dated re vs versus between in into",
    "early mid late via with like called named",
    "für von vom seit nach wegen über auf der die das des dem den im ins zum zur letzten letzte letzter letztes",
    "first second third fourth ersten zweiten dritten vierten zweite erste dritte",
    "vergangenen jeden jede jedes jeder zwischen ab herr herrn frau mit ohne mitte anfang ende alle guten schönen",
    "mr mrs ms dr black good blue cyber giving taco casual freaky ruby bloody ash fat shrove easter whit super holy",
  ].flatMap((line) => line.split(" ")),
);

/** What has numbers that look like dates and times. */
export const NUMBERED = new Set(
  [
    "version v release kapitel chapter section abschnitt absatz artikel article punkt teil part seite seiten page pages",
    "raum room ep episode folge score gate gleis track platform nr no number nummer update node ios firefox chrome § figure abbildung psalm",
  ].flatMap((line) => line.split(" ")),
);

/** Words that begin a new phrase, so that a date before them does not belong to a noun after them. */
export const PHRASE_STARTS = new Set(
  [
    "about with for to at in from re regarding and because before after if so but via on by until till due of into",
    "mit bei für nach in im zu zum zur wegen über auf aus von vom und an am weil wenn bevor bis um beim",
  ].flatMap((line) => line.split(" ")),
);

/** With these verbs, "in 30 days" may say how long something takes. */
export const DURATION_VERBS = new Set(
  [
    "learn run walk swim cycle read lose boil cook bake watch play",
    "lernen laufen lesen schwimmen joggen abnehmen schaffen kochen backen schauen spielen",
  ].flatMap((line) => line.split(" ")),
);

/** What is read, watched or heard often has a day in its title. */
export const TITLE_VERBS = new Set("read watch see play listen finish lesen schauen sehen spielen hören".split(" "));

export const ADVERB_DAYS = indexed<{
  readonly distance: number;
  readonly language: WordLanguage;
  readonly part?: DayPart;
}>([
  ["today", { distance: 0, language: "en" }],
  ["tomorrow tmrw tmr tomorow tommorow tommorrow", { distance: 1, language: "en" }],
  ["tonight", { distance: 0, language: "en", part: EVENING }],
  ["heute", { distance: 0, language: "de" }],
  ["morgen", { distance: 1, language: "de" }],
  ["übermorgen uebermorgen", { distance: 2, language: "de" }],
]);

/** Days with a name, after "by" and its like: month, day of the month. */
export const HOLIDAYS = indexed<readonly [number, number]>([
  ["christmas xmas", [12, 25]],
  ["weihnachten heiligabend", [12, 24]],
  ["silvester", [12, 31]],
  ["neujahr", [1, 1]],
  ["nikolaus", [12, 6]],
]);

export const PRIORITY_WORDS = indexed<1 | 2 | 3>([
  ["high hoch", 3],
  ["medium med mittel", 2],
  ["low niedrig", 1],
]);
