/** Whether the text is a BCP 47 language tag, such as `en`, `en-US` or `de`. */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}
