/** A made-up secret, in a text as it might occur in a prompt, a command, a file or a response. */
export interface SeededSecret {
  readonly family: string;
  readonly secret: string;
  readonly text: string;
}

const HEX = "0123456789abcdef";
const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const URLSAFE = `${ALNUM}-_`;

/** A small generator with a fixed seed: the same secrets in every run. */
function generator(seed: number): (alphabet: string, length: number) => string {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return (alphabet, length) =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(next() * alphabet.length))).join("");
}

type Make = (random: (alphabet: string, length: number) => string) => string;

const FAMILIES: Readonly<Record<string, Make>> = {
  "aws-access-key": (r) => `AKIA${r(UPPER, 16)}`,
  "github-classic": (r) => `ghp_${r(ALNUM, 36)}`,
  "github-fine": (r) => `github_pat_${r(ALNUM, 22)}_${r(ALNUM, 59)}`,
  gitlab: (r) => `glpat-${r(URLSAFE, 20)}`,
  slack: (r) => `xoxb-${r("0123456789", 12)}-${r("0123456789", 12)}-${r(ALNUM, 24)}`,
  "slack-webhook": (r) => `hooks.slack.com/services/T${r(UPPER, 8)}/B${r(UPPER, 8)}/${r(ALNUM, 24)}`,
  stripe: (r) => `sk_live_${r(ALNUM, 24)}`,
  openai: (r) => `sk-proj-${r(URLSAFE, 20)}7${r(URLSAFE, 40)}`,
  anthropic: (r) => `sk-ant-api03-${r(URLSAFE, 90)}AA`,
  "google-api": (r) => `AIza${r(URLSAFE, 35)}`,
  "google-oauth": (r) => `ya29.${r(URLSAFE, 60)}`,
  sendgrid: (r) => `SG.${r(URLSAFE, 22)}.${r(URLSAFE, 43)}`,
  twilio: (r) => `SK${r(HEX, 32)}`,
  mailgun: (r) => `key-${r(HEX, 32)}`,
  npm: (r) => `npm_${r(ALNUM, 36)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${r(URLSAFE, 80)}`,
  docker: (r) => `dckr_pat_${r(URLSAFE, 27)}`,
  digitalocean: (r) => `dop_v1_${r(HEX, 64)}`,
  shopify: (r) => `shpat_${r(HEX, 32)}`,
  jwt: (r) => `eyJhbGciOiJIUzI1NiJ9.eyJ${r(ALNUM, 40)}.${r(URLSAFE, 43)}`,
  vault: (r) => `hvs.${r(URLSAFE, 24)}`,
  huggingface: (r) => `hf_${r(ALNUM, 34)}`,
  databricks: (r) => `dapi${r(HEX, 32)}`,
  grafana: (r) => `glsa_${r(ALNUM, 32)}_${r(HEX, 8)}`,
  linear: (r) => `lin_api_${r(ALNUM, 40)}`,
  telegram: (r) => `${r("123456789", 10)}:AA${r(URLSAFE, 33)}`,
  "private-key": (r) => `MIIEvQIBADANBg${r(ALNUM, 60)}`,
  "database-url": (r) => r(ALNUM, 16),
  "password-assignment": (r) => `${r(ALNUM, 9)}7!x`,
  "env-assignment": (r) => `${r(ALNUM, 22)}4`,
  "aws-secret": (r) => `${r(ALNUM, 38)}3/`,
  bearer: (r) => `${r(ALNUM, 30)}9`,
  "json-secret": (r) => `${r(ALNUM, 20)}5`,
  "cli-flag": (r) => `${r(ALNUM, 12)}8`,
  atlassian: (r) => `ATATT3xFfGF0${r(URLSAFE, 60)}`,
  "azure-storage": (r) => `${r(ALNUM, 84)}==`,
  supabase: (r) => `sbp_${r(HEX, 40)}`,
};

/** The contexts in which each family's secrets occur; the others occur anywhere. */
const PLACES: Readonly<Record<string, readonly ((secret: string) => string)[]>> = {
  "private-key": [
    (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`,
    (s) => `{"key":"-----BEGIN RSA PRIVATE KEY-----\\n${s}\\n-----END RSA PRIVATE KEY-----"}`,
    (s) => `cat <<EOF\n-----BEGIN OPENSSH PRIVATE KEY-----\n${s}`,
  ],
  "database-url": [
    (s) => `DATABASE_URL=postgres://app:${s}@db.internal:5432/app`,
    (s) => `mongo "mongodb+srv://root:${s}@cluster0.example.net/x"`,
    (s) => `redis://:${s}@localhost:6379/0`,
    (s) => `git clone https://ada:${s}@github.com/o/r.git`,
  ],
  "password-assignment": [
    (s) => `password = "${s}"`,
    (s) => `DB_PASSWORD: '${s}'`,
    (s) => `{"user":"ada","password":"${s}"}`,
    (s) => `spring.datasource.password="${s}"`,
    (s) => `const adminPassword = \`${s}\`;`,
    (s) => `{\\"passwd\\":\\"${s}\\"}`,
  ],
  "env-assignment": [
    (s) => `export API_TOKEN=${s}`,
    (s) => `SESSION_SECRET=${s}\nPORT=3000`,
    (s) => `docker run -e SERVICE_API_KEY=${s} app`,
    (s) => `ENV AUTH_TOKEN ${s}`.replace("ENV AUTH_TOKEN ", "ENV AUTH_TOKEN="),
    (s) => `  stripe_secret: ${s}`,
  ],
  "aws-secret": [
    (s) => `aws_secret_access_key = ${s}`,
    (s) => `AWS_SECRET_ACCESS_KEY=${s}`,
    (s) => `"secretAccessKey": "${s}"`,
  ],
  bearer: [
    (s) => `curl -H "Authorization: Bearer ${s}" https://api.example.com`,
    (s) => `{"headers":{"Authorization":"Bearer ${s}"}}`,
    (s) => `Authorization: token ${s}`,
    (s) => `curl -H 'X-API-Token: ${s}' localhost:3000`,
  ],
  "json-secret": [
    (s) => `{"client_secret": "${s}"}`,
    (s) => `{"apiKey":"${s}"}`,
    (s) => `accessToken: "${s}",`,
    (s) => `{ "refresh_token" : "${s}" }`,
  ],
  "cli-flag": [
    (s) => `login --username ada --password ${s}`,
    (s) => `tool --api-key=${s} run`,
    (s) => `deploy --auth-token ${s}`,
    (s) => `curl -u ada:${s} https://example.com`,
  ],
  "azure-storage": [
    (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};EndpointSuffix=core.windows.net`,
  ],
};

const ANYWHERE: readonly ((secret: string) => string)[] = [
  (s) => `here it is: ${s}`,
  (s) => `export X=${s}`,
  (s) => `const client = new Client("${s}");`,
  (s) => `{"value":"${s}","n":1}`,
  (s) => `curl -H 'Key: ${s}' https://example.com`,
  (s) => `(${s})`,
];

const PER_FAMILY = 6;

/** Six of each family: more than 200 secrets. */
export function seededSecrets(): readonly SeededSecret[] {
  const random = generator(20_260_101);
  return Object.entries(FAMILIES).flatMap(([family, make]) => {
    const places = PLACES[family] ?? ANYWHERE;
    return Array.from({ length: PER_FAMILY }, (_, index) => {
      const secret = make(random);
      return { family, secret, text: places[index % places.length]?.(secret) ?? secret };
    });
  });
}
