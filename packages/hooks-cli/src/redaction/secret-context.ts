/**
 * Secrets without a recognisable format are found by their context: after a revealing name, in a URL, in a header. The
 * pattern's last group is the secret; what precedes it is kept.
 */
export interface SecretContext {
  readonly name: string;
  /** One of these occurs in lower case in every text that the forms match; a text without them is not searched. */
  readonly hints: readonly string[];
  readonly forms: readonly SecretForm[];
}

export interface SecretForm {
  /** A function, so that only the needed patterns are parsed. */
  readonly pattern: () => RegExp;
  readonly accepts: (value: string) => boolean;
}

const NAME =
  "(?:pass(?:wor[dt]|wd|phrase|code)?|kennwort|pwd|secret|token|(?:api|access|account|private|signing|encryption|service|auth)[_-]?key|credentials?|webhook[_-]?url|connection[_-]?string)";

/** A character of a value without quotes; a dollar in it is not the beginning of an expression. */
const BARE = String.raw`(?:[^\s"'${"`"};&|<>(){}\[\],$\\]|\$(?![({]))`;

/** An assignment in code, a configuration file, JSON or the environment: `DB_PASSWORD=…`, `"apiKey": "…"`. */
const assignment = (): RegExp =>
  new RegExp(
    String.raw`((?<![0-9A-Za-z])[0-9A-Za-z_.-]{0,40}?${NAME}(?:[_-]?[0-9A-Za-z]{1,12}){0,2}\\?["']?\s{0,4}(?:=>|:=|=|:)\s{0,4})(\\?["'${"`"}])((?:\\{3}["']|(?!\2)(?:\\[^\n\r]|[^\n\r\\])){4,512})`,
    "gi",
  );
const bareAssignment = (): RegExp =>
  new RegExp(
    String.raw`((?:^|[\s;&|"'(,{?])(?:export |set |-e |--env |ARG |ENV )?[0-9A-Za-z_.-]{0,40}?${NAME}[0-9A-Za-z_-]{0,12}\s?[=:]\s?)(${BARE}{6,512})`,
    "gim",
  );
/** Not after `workspace-hooks run`, whose own options name secrets without containing them. */
const flag = (): RegExp =>
  new RegExp(
    String.raw`((?<!\bworkspace-hooks(?:\.cjs["']?)? run\b(?:(?!\s--\s)[^\n|;&]){0,300})\s--?(?:[a-z]{1,20}-){0,3}${NAME}(?:[= ]\s{0,3}))(["']?(?:[^\s"'${"`"};&|<>(){}$]|\$(?![({])){4,512})`,
    "gi",
  );
/** In prose and in SQL: `the password is …`, `WITH PASSWORD '…'`. */
const statement = (): RegExp =>
  new RegExp(
    String.raw`(\b${NAME}(?:\s(?:for|of|für|von)(?:\s[\w.@-]{1,40}){1,3}?)?\s{1,2}(?:(?:is|was|to|ist|war|lautet)\s?:?\s?["'${"`"}]?|["'${"`"}]))([^\s"'${"`"}<>]{4,200}(?<![.,:;]))`,
    "gi",
  );

const ASSIGNMENT_HINTS = [
  "pass",
  "pwd",
  "secret",
  "token",
  "key",
  "credential",
  "webhook",
  "connection",
  "kennwort",
  "identified",
];

export const SECRET_CONTEXTS: readonly SecretContext[] = [
  {
    name: "url-credentials",
    hints: ["://"],
    forms: [
      {
        pattern: () => /(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'`<>]{0,100}:)([^\s@/"'`<>]{3,200})(?=@)/gi,
        accepts: (value) => !isPlaceholder(value),
      },
    ],
  },
  {
    name: "authorization",
    hints: ["authorization", "bearer"],
    forms: [
      {
        pattern: () =>
          /(\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token|digest|apikey)?\s{0,3}|\bbearer\s{1,3})([0-9A-Za-z+/=._~-]{12,4000})/gi,
        accepts: looksRandom,
      },
    ],
  },
  {
    name: "authorization",
    hints: ["basic"],
    forms: [
      {
        pattern: () => /(\bbasic\s{1,3})([0-9A-Za-z+/]{8,400}={0,2})/gi,
        accepts: (value) => value.length % 4 === 0 && (/[A-Z0-9=]/.test(value.slice(1)) || value.length >= 24),
      },
    ],
  },
  {
    name: "header",
    hints: ["x-"],
    forms: [
      {
        pattern: () =>
          /(\bx-[a-z-]{0,30}(?:token|key|secret|auth|signature)["']?\s{0,3}[:=]\s{0,3}["']?)([^\s"'`,;<>]{8,1000})/gi,
        accepts: (value) => !isPlaceholder(value),
      },
    ],
  },
  {
    name: "cookie",
    hints: ["cookie"],
    forms: [
      {
        pattern: () => /(\b(?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?[^\s=;"']{1,100}=)([^\s;"']{12,4000})/gi,
        accepts: looksRandom,
      },
    ],
  },
  {
    name: "curl-user",
    hints: ["curl", "wget"],
    forms: [
      {
        pattern: () =>
          /(\b(?:curl|wget)\b[^\n|;&]{0,300}?\s(?:-u|--user|--proxy-user|--password)[ =]["']?[^\s:"']{0,100}:?)([^\s"']{3,200})/gi,
        accepts: (value) => !isPlaceholder(value),
      },
    ],
  },
  {
    name: "password-option",
    hints: ["mysql", "sshpass", "docker login", "mongo", "redis-cli", "htpasswd", "zip"],
    forms: [
      {
        pattern: () =>
          /(\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|docker login|mongo|mongosh|redis-cli|7z|zip)\b[^\n|;&]{0,200}?\s(?:-p|-a|-P)\s?)([^\s"'-][^\s"']{3,200})/gi,
        accepts: looksLikePassword,
      },
    ],
  },
  {
    name: "assignment",
    hints: ASSIGNMENT_HINTS,
    forms: [
      {
        // As in the environment and in `.env` files, where a value needs no quotes and may be any word.
        pattern: () =>
          /((?:^|[\s;&|"'(,{?])(?:[A-Z0-9_]{0,60}?(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)|[A-Z0-9_]{0,30}(?:_PASS|_PWD|SSHPASS))=)((?:[^\s"'`;&|<>(){}[\],$\\]|\$(?![({])){4,512})/gm,
        accepts: (value) => {
          const own = value.replaceAll(/\$[A-Z_]{2,}\b/g, "");
          return (
            own.length >= 4 && !isPlaceholder(value) && !/^(?:[0-9.]+|on|off|yes|no)$/i.test(own) && !own.includes("/")
          );
        },
      },
      {
        // As in `.netrc` and in SQL, where a value may be any word.
        pattern: () =>
          /((?:\bmachine\s{1,4}\S{1,200}|\bdefault)\s{1,9}login\s{1,4}\S{1,200}\s{1,9}password\s{1,4}|\bidentified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as)\s{1,4}\\?["'])([^\s"'\\]{3,200})/gi,
        accepts: (value) => !isPlaceholder(value),
      },
      { pattern: flag, accepts: looksLikePassword },
      {
        pattern: assignment,
        // A value of several words is a password if one of them is; prose has none that mixes all kinds of characters.
        accepts: (value) => looksLikePassword(value) || value.split(/\s/, 40).some(isMixed),
      },
      { pattern: bareAssignment, accepts: looksRandom },
      { pattern: statement, accepts: isStatedPassword },
    ],
  },
];

/** The end of a word that is long enough to be a secret without a name; what precedes it matters too. */
const LONG_WORD = /(^|[^0-9A-Za-z+/=_-])(?!sha\d+-)()([0-9A-Za-z+/_-]{32,512}={0,2})(?![0-9A-Za-z+/=_-])/g;

export const MIN_UNKNOWN_SECRET_LENGTH = 32;

/** A secret of no known family: long, and apparently random. */
export const UNKNOWN_SECRET: SecretContext = {
  name: "random",
  hints: [""],
  forms: [{ pattern: () => LONG_WORD, accepts: isRandomLooking }],
};

const MIN_CHANGES = 0.35;
/** A file on this machine. Names of temporary folders end in a few random characters, which are no secret. */
const FILE_PATH = /^\/(?:tmp|var|private|home|Users|root|usr|opt|mnt|media|Volumes|srv|etc)\//;

/**
 * Whether upper case, lower case and digits alternate as in generated text. In names that people write, even long ones in
 * camel case, they change only every few letters; hexadecimal has no upper case.
 */
function isRandomLooking(value: string): boolean {
  if (FILE_PATH.test(value))
    return value.split("/").some((name) => name.length >= MIN_UNKNOWN_SECRET_LENGTH && isRandomLooking(name));
  const kinds = Array.from(value, kindOf);
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  const hasAll = ["lower", "upper", "digit"].every((kind) => kinds.some((other) => other === kind));
  // A path or a URL that contains a hash.
  const isPath = value.split("/").length > 4;
  return hasAll && !isPath && changes >= value.length * MIN_CHANGES && entropy(value) >= 4;
}

function kindOf(character: string): string {
  if (/[a-z]/.test(character)) return "lower";
  if (/[A-Z]/.test(character)) return "upper";
  return /[0-9]/.test(character) ? "digit" : "other";
}

/** Whether a key of an object indicates that its value is a secret. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  const isLikely = name.length <= 64 && ASSIGNMENT_HINTS.some((hint) => lower.includes(hint));
  return isLikely && SECRET_NAME.test(name) && !NOT_SECRET_NAME.test(name);
}

const SECRET_NAME = new RegExp(`${NAME}s?$`, "i");
const NOT_SECRET_NAME =
  /(?:max|min|num|count|total|input|output|cached?|prompt|completion|reset)[_-]?tokens?$|^tokens?$|file|path/i;

/** What people write as a placeholder for a secret, and what code computes. */
export function isPlaceholder(value: string): boolean {
  return (
    /^["']?[<$%{[(*]|^\.{2,}|\$\{|\{\{|^(?:your|my|the|some|example|dummy|fake|change_?me|replace|insert|todo|xxx|test|null|none|undefined|true|false|string|passw(?:or)?d|secret|token|redacted|process\.|os\.|env\.|import\.|config\.|self\.|this\.|req\.|ctx\.|args?\.|options?\.|settings?\.|z\.|pass$)/i.test(
      value,
    ) || /^(.)\1*$/.test(value)
  );
}

/** A word that a person may have chosen as a password: neither code nor prose. */
export function looksLikePassword(value: string): boolean {
  if (isPlaceholder(value) || /\s/.test(value)) return false;
  if (/^[a-z]+(?:[A-Z][a-z]*)*$|^[a-z]+(?:[._/-][a-z]+)*$|^[A-Z]+(?:_[A-Z]+)*$/.test(value)) return false;
  if (
    /[()[\]{}<>]|=>|::|\?\.|\.(?:ts|js|json|md|py|txt|ya?ml|pem|key|env)$|^(?:\.{0,2}|~)\/|^https?:\/\/[^:@]+$/.test(
      value,
    )
  )
    return false;
  return characterKinds(value) >= 2;
}

/** Whether small and capital letters and digits alternate within a word, as in no word of prose. */
function isMixed(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z][0-9]|[0-9][A-Z]/.test(word) && isStatedPassword(word);
}

/** Names of standards, sizes, dates and paths, which prose about passwords contains. */
const TECHNICAL =
  /[/_]|^[0-9][0-9.,:-]*(?:[a-z%][a-z-]*)?$|^(?:sha|md|[Bb]ase|utf|aes|rsa|OAuth|oauth|argon|ed|x|v|[A-Z]{1,4}|IPv)-?[0-9]{1,5}(?![0-9A-Za-z])/;

/** A word after "the password is" that is a password and no description of one. */
function isStatedPassword(value: string): boolean {
  if (!looksLikePassword(value) || TECHNICAL.test(value)) return false;
  return /[!#$%&*+=?@^~]\w/.test(value) || (/[0-9]/.test(value) && /[A-Za-z]/.test(value));
}

/** A generated value: long, of several kinds of characters, with little repetition. */
export function looksRandom(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value)) return false;
  if (/[()[\]{}<>]|^(?:\.{0,2}|~)\/|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value)) return false;
  if (!/[0-9]/.test(value) || !/[A-Za-z]/.test(value))
    return value.length >= 16 && characterKinds(value) >= 2 && entropy(value) >= 3.5;
  if (/^v?[0-9]+(?:\.[0-9a-z-]+)+$|^[0-9]+(?:px|em|rem|ms|s|kb|mb|gb|%)?$/i.test(value)) return false;
  return entropy(value) >= 2.5;
}

function characterKinds(value: string): number {
  return new Set(Array.from(value, kindOf)).size;
}

/** Shannon entropy, in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
