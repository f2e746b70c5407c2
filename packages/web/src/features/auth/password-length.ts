/** As the server has them. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

export const PASSWORD_HINT = `At least ${MIN_PASSWORD_LENGTH} characters.`;

/** Of a field for a new password. A limit of what can be typed would cut a pasted one short without a word. */
export const PASSWORD_RULES = {
  minLength: MIN_PASSWORD_LENGTH,
  pattern: `.{0,${MAX_PASSWORD_LENGTH}}`,
  title: `At most ${MAX_PASSWORD_LENGTH} characters.`,
};
