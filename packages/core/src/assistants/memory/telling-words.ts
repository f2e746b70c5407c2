import { foldText } from "../../platform/fold-text.ts";
import { withFigures, withoutUmlauts } from "./number-words.ts";

/** Words that a sentence can exchange, gain or lose without saying something else, in English and in German. */
const COMMON_WORDS =
  "a about above after again all along also although always am among an and any anyone anything are around as at away back " +
  "basically be became because become been before being belong between both but by came can case come could currently did do does " +
  "done down due during each either else even ever every everyone everything exactly example for from further gave get give given " +
  "go goes gone got had happen has have having he held help here hold how however i if in indeed instead into is it its itself " +
  "just keep kept kind least let like look made mainly make many may me means might more most much must my namely need now of off " +
  "often on once only onto or other otherwise our out over own perhaps please put quite rather really same say see seem set shall " +
  "she should show simply since so some someone something still such take taken than that the their them then there thereby " +
  "therefore these they thing this those though through thus to together too took toward under up upon us use via want was way we " +
  "well went were what whatever when whenever where whereas whether which while who whole whom whose why will with within would yet " +
  "you your " +
  "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beide beim bereits bevor bis bitte bleibt da dabei " +
  "dadurch dafür daher damit danach dann daran darauf daraus darf darin darum das dass davon dazu dem den denn der deren des deshalb " +
  "dessen die dies diese diesem diesen dieser dieses doch dort du durch durchaus dürfen eben ebenso eher eigentlich ein eine einem " +
  "einen einer eines einfach er erst es etwa etwas euch falls für ganz gar geben gegen gemacht genau gerade gern gibt hab habe haben " +
  "halt hat hatte hätte hier hin hinter ich ihm ihn ihnen ihr ihre im immer in indem ins insbesondere ist ja je jede jedem jeden " +
  "jeder jedes jedoch jetzt kann können könnte liegt machen macht man mehr mein meist mit möglich muss müssen nach nachdem nämlich " +
  "neben noch nun nur ob oben oder oft ohne schon sehr sein seine seit selbst sich sie sind so sobald solche soll sollen sollte " +
  "somit sondern sonst sowie sowohl stets über überhaupt um und uns unser unter viel vom von vor wann war wäre warum was weil " +
  "welche welcher wenn wer werden wie wieder will wir wird wo wobei wodurch wollen worden wurde während zu zum zur zwar zwischen";

const PLURAL = /(?<=.{3})(?<!s)s$/;
const ENDING = /(?<=.{3})(?:ing|ed|en|e|n)$/;
/** The letters by which a word is recognised in its other forms. */
const STEM_LENGTH = 6;
const LATIN_WORD = /^[\p{Script=Latin}\p{M}]{2,}$/u;
/** With fewer common words among its words, a text is in another language, whose common words are unknown. */
const MIN_COMMON_SHARE = 0.15;
/** A shorter text may have none in any language. */
const MIN_JUDGED_WORDS = 8;

const COMMON_STEMS = new Set(COMMON_WORDS.split(" ").map((word) => stemOf(withoutUmlauts(foldText(word)))));

/**
 * The words of a text that say what it is about: all but numbers and words that are common in English or German, each by its stem.
 * None of a text in another language.
 */
export function tellingWords(text: string): string[] {
  const words = (withoutUmlauts(foldText(withFigures(text))).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) =>
    LATIN_WORD.test(word),
  );
  const rare = words.filter((word) => !COMMON_STEMS.has(stemOf(word)));
  const isUnknownLanguage =
    words.length >= MIN_JUDGED_WORDS && words.length - rare.length < MIN_COMMON_SHARE * words.length;
  return isUnknownLanguage ? [] : [...new Set(rare.map(stemOf))];
}

function stemOf(word: string): string {
  const stem = word.replace(PLURAL, "").replace(ENDING, "");
  return stem.replace(/(.)\1$/u, "$1").slice(0, STEM_LENGTH);
}
