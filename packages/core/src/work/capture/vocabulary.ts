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
  ["monday mon mondy", weekdayWord(0, "en")],
  ["tuesday tue tues tuesdy tusday", weekdayWord(1, "en")],
  ["wednesday wednsday wendesday wensday wednesdy", weekdayWord(2, "en")],
  ["thursday thu thur thurs thursdy thrusday thurday", weekdayWord(3, "en")],
  ["friday fri fridy firday", weekdayWord(4, "en")],
  ["saturday saturdy saterday", weekdayWord(5, "en")],
  ["sunday sundy", weekdayWord(6, "en")],
  ["wed weds", weekdayWord(2, "en", true)],
  ["sat", weekdayWord(5, "en", true)],
  ["sun", weekdayWord(6, "en", true)],
  ["montag montg", weekdayWord(0, "de")],
  ["dienstag dienstg", weekdayWord(1, "de")],
  ["mittwoch mitwoch", weekdayWord(2, "de")],
  ["donnerstag donerstag donnerstg", weekdayWord(3, "de")],
  ["freitag freitg frietag", weekdayWord(4, "de")],
  ["samstag samstg sonnabend", weekdayWord(5, "de")],
  ["sonntag sontag", weekdayWord(6, "de")],
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
  ["noon midday lunchtime mittag mittags", NOON],
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
  ["on by due until till before b4", "en"],
  ["am an bis vor spätestens", "de"],
]);

/** Those of them that name the latest day. */
export const BY = /^(?:by|bis|before|b4|until|till|due|vor)$/;

/** Words that may stand between such a word and the date. */
export const LEAD_FILLERS: ReadonlySet<string> = new Set("on by the zum zur dem den spätestens am".split(" "));

export const TIME_LEADS: ReadonlyMap<string, WordLanguage> = indexed<WordLanguage>([
  ["at @ by before b4 until till", "en"],
  ["um gegen bis vor", "de"],
]);

/** Before a date, these say that it belongs to the thing and not to the task. */
export const BLOCKING = new Set(
  [
    "about for from of since after than to the a an my our this last past every each dated re vs versus between in into",
    "early mid late via with like called named starting beginning is are was were ist sind war waren",
    "für von vom seit nach wegen über auf der die das des dem den im ins zum zur letzten letzte letzter letztes letztem vorigen vorige voriger voriges vorigem",
    "first second third fourth ersten zweiten dritten vierten zweite erste dritte",
    "vergangenen jeden jede jedes jeder zwischen ab herr herrn frau mit ohne mitte anfang ende alle guten schönen",
    "mr mrs ms dr black good blue cyber giving taco casual freaky ruby bloody ash fat shrove easter whit super holy",
  ].flatMap((line) => line.split(" ")),
);

/** What is open by day only, so that 7:30 and 8:45 are in the morning. */
export const OFFICE_HOURS = new Set(
  [
    "dentist orthodontist doctor doctors dr gp vet vets physio optician optometrist dermatologist pediatrician clinic hospital",
    "surgery surgeon checkup check-up blood x-ray mri vaccination mechanic garage mot plumber electrician dmv court interview exam",
    "nursery daycare preschool kindergarten standup stand-up",
  ].flatMap((line) => line.split(" ")),
);

/** What is made for a day has to be ready by then: "Kuchen backen für Montag"; a table is reserved for a day that is later. */
export const MAKING_VERBS = new Set(
  "backen kochen kaufen einkaufen besorgen holen machen fertigmachen basteln lernen packen waschen bügeln nähen erledigen".split(
    " ",
  ),
);

/** What has numbers that look like dates and times. */
export const NUMBERED = new Set(
  [
    "version v release kapitel kap chapter section abschnitt absatz abs artikel art article ziffer ziff punkt top teil part seite seiten page pages",
    "ticket bed bett rm zi zimmer tisch whg wohnung flat apt bay unit",
    "raum room ep episode folge score gate gleis track platform nr no number nummer update node ios firefox chrome § figure abbildung psalm",
  ].flatMap((line) => line.split(" ")),
);

/** Words that begin a new phrase, so that a date before them does not belong to a noun after them. */
export const PHRASE_STARTS = new Set(
  [
    "every each about with w/ for to at in from re regarding and because before after if so but via on by until till due of into",
    "jeden jede jedes alle mit bei für nach in im zu zum zur wegen über auf aus von vom und an am weil wenn bevor bis um beim",
  ].flatMap((line) => line.split(" ")),
);

/** With these verbs, "in 30 days" may say how long something takes. */
export const DURATION_VERBS = new Set(
  [
    "learn run walk swim cycle read lose boil cook bake watch play",
    "lernen laufen lesen schwimmen joggen abnehmen schaffen kochen backen schauen spielen",
  ].flatMap((line) => line.split(" ")),
);

/** Words that begin a clause about another time than that of the task, or are the subject or the verb of one. */
export const CLAUSE_STARTS = new Set(
  [
    "if whether when why how that's which who who's opens needs need needed wants said says promised lent sent i i'm i'll i've he he's she she's we we're we'll they they're has had was were can't",
    "ob bevor wann wenn warum wieso weshalb dass falls sobald weil obwohl nachdem braucht brauchen wollte meinte sagt sagte ich er wir hat hatte war waren",
  ].flatMap((line) => line.split(" ")),
);

/** What is written on a day, which stands after it as a part of its name. */
export const RECORD_NOUNS = new Set("notes minutes recap protokoll mitschrift notizen gedächtnisprotokoll".split(" "));

/** What asks about a day: "Passt Freitag?" */
export const ASKING_WORDS = new Set(
  "can could works work possible passt passen geht ginge klappt klappts möglich kann kannst könnt könnten".split(" "),
);

/** What has a day of its own, which stands after it. */
export const EVENT_NOUNS = new Set(
  "birthday bday anniversary wedding party concert game match exam meeting interview trip flight appointment webinar".split(
    " ",
  ),
);

/** "Buy wine for dinner on Saturday": the day of the meal. */
export const MEALS = new Set("breakfast brunch lunch dinner supper".split(" "));

/** Verbs for being there, so that the day of what they name is that of the task. */
export const ATTENDING_VERBS = new Set("attend go join host have see be celebrate fly drive leave".split(" "));

/** What is moved has a day of its own: directly after these verbs, a day is what is moved. */
export const MOVING_VERBS = new Set("move shift block reschedule postpone push verschieben".split(" "));

/** With these verbs, a day without "by" is that of what is called off or moved. */
export const EVENT_VERBS = new Set(
  "move reschedule postpone shift decline accept absagen ablehnen zusagen verschieben verlegen umbuchen".split(" "),
);

/** "Study for the exam Friday": the day of the exam. */
export const PREPARING_VERBS = new Set("prep prepare study practice practise train rehearse".split(" "));

/** English verbs that tell what is to be done, so that a day before them stands alone: "Friday submit report". */
export const TASK_VERBS = new Set(
  [
    "add apply ask assemble attend bake book bring build buy call cancel charge chase clean clear collect complete",
    "confirm cook cover cut decorate defrost deliver deploy do draft drop email empty feed fetch file fill find finish fix",
    "follow get give go grab hand hang hoover install invite iron make meet message mow order pack paint pay pick plant post",
    "prepare prep print prune publish rake read refill remind renew repair replace reply respond return ring send ship shovel",
    "sign sort start submit sweep take talk tell text tidy trim update upload vacuum visit walk wash water weed wipe wrap write",
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
  ["tomorrow tmrw tmr tmw tomorow tommorow tommorrow", { distance: 1, language: "en" }],
  ["tonight", { distance: 0, language: "en", part: EVENING }],
  ["heute heut", { distance: 0, language: "de" }],
  ["morgen morgn", { distance: 1, language: "de" }],
  ["übermorgen uebermorgen übermorgn", { distance: 2, language: "de" }],
]);

/** Days with a name, after "by" and its like or with a time: month, day of the month; null if it is another one each year. */
export const HOLIDAYS = indexed<readonly [number, number] | null>([
  ["christmas xmas", [12, 25]],
  ["weihnachten heiligabend", [12, 24]],
  ["silvester", [12, 31]],
  ["neujahr", [1, 1]],
  ["nikolaus", [12, 6]],
  ["halloween", [10, 31]],
  ["thanksgiving easter ostern ostersonntag ostermontag karfreitag pfingsten pfingstsonntag pfingstmontag", null],
]);

export const PRIORITY_WORDS = indexed<1 | 2 | 3>([
  ["high hoch", 3],
  ["medium med mittel", 2],
  ["low niedrig", 1],
]);
