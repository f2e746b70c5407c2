/** A family of secrets recognised by its own format, wherever it occurs. */
export interface SecretPattern {
  readonly name: string;
  /**
   * Global. Every quantifier is bounded or precedes a character that it cannot match, so matching takes linear time. A
   * function, so that only the needed patterns are parsed.
   */
  readonly pattern: () => RegExp;
  /** One of these occurs in every text that the pattern matches; a text without them is not searched. */
  readonly hints: readonly string[];
}

/**
 * By the issuing service: the possible prefixes of its secrets. The rest is long, and consists mostly of letters and digits.
 */
const PREFIXES: Readonly<Record<string, string>> = {
  github: "ghp_|gho_|ghu_|ghs_|ghr_|github_pat_",
  gitlab: "glpat-|glptt-|gldt-|glrt-|glcbt-|glft-|glsoat-|glagent-|glimt-|gloas-",
  slack: "xoxa-|xoxb-|xoxe-|xoxe.xoxb-|xoxe.xoxp-|xoxo-|xoxp-|xoxr-|xoxs-|xapp-",
  stripe: "sk_live_|sk_test_|rk_live_|rk_test_|pk_live_|whsec_",
  anthropic: "sk-ant-",
  openai: "sk-proj-|sk-svcacct-|sk-admin-|sk-or-v1-",
  google: "ya29.|GOCSPX-",
  npm: "npm_",
  pypi: "pypi-",
  rubygems: "rubygems_",
  docker: "dckr_pat_|dckr_oat_",
  digitalocean: "doo_v1_|dop_v1_|dor_v1_",
  shopify: "shpat_|shpca_|shppa_|shpss_",
  square: "sq0atp-|sq0csp-|sq0idp-|EAAA",
  vault: "hvs.|hvb.|hvr.",
  huggingface: "hf_",
  replicate: "r8_",
  grafana: "glsa_|glc_",
  newrelic: "NRAK-|NRJS-|NRII-",
  atlassian: "ATATT3|ATCTT3|ATBB",
  linear: "lin_api_|lin_oauth_",
  notion: "ntn_",
  postman: "PMAK-",
  sentry: "sntrys_|sntryu_",
  fly: "fm1_|fm2_|fo1_",
  doppler: "dp.pt.|dp.st.|dp.ct.|dp.sa.|dp.scim.|dp.audit.",
  figma: "figd_",
  pulumi: "pul-",
  planetscale: "pscale_tkn_|pscale_pw_|pscale_oauth_",
  supabase: "sbp_|sb_secret_",
  netlify: "nfp_",
  groq: "gsk_",
  xai: "xai-",
  perplexity: "pplx-",
  dynatrace: "dt0c01.|dt0s01.",
  heroku: "HRKU-",
  onepassword: "ops_eyJ",
  alibaba: "LTAI",
  okta: "SSWS ",
  age: "AGE-SECRET-KEY-1",
  tailscale: "tskey-",
  sonar: "sqp_|squ_|sqa_",
  telegram: ":AA",
};

const ALL_PREFIXES = Object.values(PREFIXES).flatMap((prefixes) => prefixes.split("|"));

/**
 * A prefix inside a longer word is not a secret, and neither is a name that happens to start with one: a secret contains a
 * digit, or is one long word with capitals.
 */
function prefixed(): RegExp {
  const anyPrefix = ALL_PREFIXES.join("|").replaceAll(".", String.raw`\.`);
  return new RegExp(
    String.raw`(?<![0-9A-Za-z_])(?:[0-9]{8,10}(?=:AA))?(${anyPrefix})(?=[0-9A-Za-z_./+=-]{0,48}[0-9]|[a-z]{0,30}[A-Z][A-Za-z]{29})[0-9A-Za-z_./+=-]{16,1000}`,
    "g",
  );
}

/** No secret with a prefix or a format of its own is shorter. */
export const MIN_SECRET_LENGTH = 19;

/** Replaces secrets recognised by their prefixes; `mark` creates the replacement from the name of the service. */
export function replacePrefixed(text: string, mark: (service: string) => string): string {
  // Searching for each is faster than building one expression of them, which most texts do not need.
  if (!ALL_PREFIXES.some((prefix) => text.includes(prefix))) return text;
  return text.replace(prefixed(), (_secret, prefix: string) => mark(`${serviceOf(prefix)}-token`));
}

function serviceOf(prefix: string): string {
  return Object.entries(PREFIXES).find(([, prefixes]) => prefixes.split("|").includes(prefix))?.[0] ?? "service";
}

function family(name: string, hints: string, pattern: () => RegExp): SecretPattern {
  return { name, hints: hints.split(" "), pattern };
}

const TOKEN_USES = ["live", "test", "prod", "pat", "api", "key", "secret", "token", "tok", "sk", "rk", "oauth"];

/** Secrets with a format of their own. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  family(
    "private-key",
    "-----BEGIN",
    // The end may be missing: a truncated key is still a key. Keys also occur in JSON strings, with their line ends escaped.
    () =>
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{0,20000}(?:-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----)?/g,
  ),
  family("aws-access-key", "AKIA ASIA ABIA ACCA", () => /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16,99}\b/g),
  family(
    "slack-webhook",
    "hooks.slack.com",
    () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/[0-9A-Za-z/_-]{16,255}/g,
  ),
  family(
    "discord-webhook",
    "/webhooks/",
    () => /discord(?:app)?\.com\/api\/webhooks\/[0-9]{5,25}\/[0-9A-Za-z_-]{20,120}/g,
  ),
  family("discord-token", ".", () => /\b[MNO][0-9A-Za-z_-]{23,27}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,40}\b/g),
  family("openai-key", "sk-", () => /\bsk-(?=[0-9A-Za-z_-]{0,40}[0-9])[0-9A-Za-z_-]{20,255}/g),
  family("google-api-key", "AIza", () => /\bAIza[0-9A-Za-z_-]{35,99}/g),
  family("sendgrid-key", "SG.", () => /\bSG\.[0-9A-Za-z_-]{16,32}\.[0-9A-Za-z_-]{16,64}/g),
  family("twilio-key", "SK AC", () => /\b(?:SK|AC)[0-9a-f]{32}\b/g),
  family("mailgun-key", "key-", () => /\bkey-[0-9a-f]{32}\b/g),
  family("mailchimp-key", "-us", () => /\b[0-9a-f]{32}-us[0-9]{1,2}\b/g),
  family("meta-token", "EAA", () => /\bEAA[0-9A-Za-z]{60,300}/g),
  family("jwt", "eyJ", () => /\beyJ[0-9A-Za-z_-]{8,4000}\.eyJ[0-9A-Za-z_-]{8,8000}(?:\.[0-9A-Za-z_-]{0,2000})?/g),
  family("mapbox-token", "sk.eyJ", () => /\bsk\.eyJ[0-9A-Za-z_-]{40,200}\.[0-9A-Za-z_-]{10,60}/g),
  family("terraform-token", ".atlasv1.", () => /\b[0-9A-Za-z]{10,20}\.atlasv1\.[0-9A-Za-z_=-]{40,100}/g),
  family("databricks-token", "dapi", () => /\bdapi[0-9a-f]{32}(?:-[0-9])?\b/g),
  family("notion-token", "secret_", () => /\bsecret_[0-9A-Za-z]{43}\b/g),
  family("airtable-token", "pat", () => /\bpat[0-9A-Za-z]{14}\.[0-9a-f]{64}\b/g),
  family("azure-key", "Key=", () => /\b(?:AccountKey|SharedAccessKey)=[0-9A-Za-z+/=]{30,100}/g),
  family("azure-sas", "sig=", () => /[?&]sig=[0-9A-Za-z%+/=]{30,120}/g),
  family("twitter-bearer", "AAAAAAAAA", () => /\bA{20,24}[0-9A-Za-z%]{60,120}/g),
  family("firebase-key", ":APA91b", () => /\bAAAA[0-9A-Za-z_-]{7}:APA91b[0-9A-Za-z_-]{100,200}/g),
  family("dropbox-token", "sl.", () => /\bsl\.[0-9A-Za-z_-]{100,300}/g),
  family("sentry-dsn", "sentry", () => /\b[0-9a-f]{32}(?=@[0-9a-z.-]{1,100}sentry)/g),
  family("ethereum-key", "0x", () => /(?<=\b(?:priv(?:ate)?_?key|PK|KEY|secret)\W{1,6})0x[0-9a-fA-F]{64}\b/gi),
  // Many services use the same naming scheme: the service, the purpose, and a long random part.
  family(
    "service-token",
    TOKEN_USES.flatMap((use) => [`-${use}`, `_${use}`]).join(" "),
    () =>
      new RegExp(
        String.raw`\b[a-zA-Z][0-9a-zA-Z]{1,15}[_-](?:${TOKEN_USES.join("|")})[_-](?=[0-9A-Za-z]{0,24}[0-9])(?=[0-9]{0,24}[A-Za-z])[0-9A-Za-z]{20,255}\b`,
        "g",
      ),
  ),
];
