/** In an expanded word, stands for every part whose text cannot be known before the command runs. */
export const UNKNOWN = "\uFFFC";
