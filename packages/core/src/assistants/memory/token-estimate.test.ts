import { describe, expect, test } from "vitest";
import { cutToTokens, estimateTokens } from "./token-estimate.ts";

/** Texts, with the number of tokens that OpenAI's o200k vocabulary has for them. */
const COUNTED: readonly (readonly [kind: string, tokens: number, text: string])[] = [
  [
    "English prose",
    28,
    "We decided to keep the nightly backups for thirty days because the storage is cheap and the restore from an older one was needed twice last year.",
  ],
  [
    "English prose",
    29,
    "The team agreed that the release goes out on Tuesdays, after the tests have run on the staging server, and that nobody merges on Friday afternoon.",
  ],
  [
    "English prose",
    41,
    "What a session is given at its start is chosen without knowing what will be asked. Short memories stay whole and long ones are cut, and rather than cutting all to nothing the last ones are left out.",
  ],
  [
    "a commit",
    39,
    "Commit 9fceb02d0ae598e95dc970b74767f19372d61af8 in /srv/app/packages/core/src/memory-context.ts broke the build.",
  ],
  ["a UUID", 32, "- [fact, 3 weeks ago, memory 550e8400-e29b-41d4-a716-446655440000] Short."],
  ["hexadecimal", 35, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["Base64", 63, "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="],
  [
    "code",
    39,
    "const ranked = Number.isFinite(best) ? all.filter(({ score }) => score >= MIN_SHARE * best) : [];\nfor (const { number } of ranked) kept.push(index.memory(number));",
  ],
  [
    "a command",
    43,
    "docker run --rm -e POSTGRES_DB=app -p 127.0.0.1:5432:5432 -v $PWD/data:/var/lib/postgresql/data postgres:17-alpine",
  ],
  ["numbers", 49, "Ports 5432, 6379 and 8080; 40,000 rows in 1.25 s; version 17.2.1; 192.168.10.24; 2026-11-23"],
  ["Chinese", 34, "我们决定每天晚上备份数据库，并且保留三十天。库存接口的超时时间是二十五秒，如果超时就重试三次。"],
  ["Chinese", 27, "我們決定每天晚上備份資料庫，並且保留三十天。逾時設定為二十五秒。"],
  [
    "Japanese",
    34,
    "データベースは毎晩バックアップし、三十日間保存することにしました。在庫APIのタイムアウトは二十五秒です。",
  ],
  ["Korean", 23, "우리는 매일 밤 데이터베이스를 백업하고 삼십 일 동안 보관하기로 결정했습니다."],
  ["Russian", 25, "Мы решили хранить ночные резервные копии тридцать дней, потому что хранилище дешёвое."],
  ["Ukrainian", 29, "Ми вирішили зберігати нічні резервні копії тридцять днів, бо сховище дешеве."],
  [
    "German",
    25,
    "Wir haben entschieden, die nächtlichen Sicherungen dreißig Tage aufzubewahren, weil der Speicher günstig ist.",
  ],
  [
    "Polish",
    32,
    "Postanowiliśmy przechowywać nocne kopie zapasowe przez trzydzieści dni, ponieważ przestrzeń dyskowa jest tania.",
  ],
  ["Greek", 30, "Αποφασίσαμε να κρατάμε τα νυχτερινά αντίγραφα ασφαλείας για τριάντα ημέρες."],
  ["Arabic", 23, "قررنا الاحتفاظ بالنسخ الاحتياطية الليلية لمدة ثلاثين يوما لأن التخزين رخيص."],
  ["emoji", 16, "🚀 Released ✅ tests 👩‍💻 passing 🎉🎉 done"],
];

describe("the estimate", () => {
  test.each(COUNTED)("of %s (%i tokens) is not too low", (_kind, tokens, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens * 0.95);
    expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.75);
  });

  test.each(COUNTED.filter(([kind]) => kind === "English prose"))(
    "of %s is not much too high",
    (_kind, tokens, text) => {
      expect(estimateTokens(text)).toBeLessThanOrEqual(tokens * 1.25);
    },
  );
});

test.each(COUNTED)("%s is cut to a number of tokens, between characters", (_kind, _tokens, text) => {
  expect(cutToTokens(text, 1_000)).toBe(text);
  const cut = cutToTokens(text, 10);
  expect(estimateTokens(cut)).toBeLessThanOrEqual(10);
  expect(cut).toMatch(/…$/);
  expect(text.startsWith(cut.slice(0, -1))).toBe(true);
  expect(cut.isWellFormed()).toBe(true);
});
