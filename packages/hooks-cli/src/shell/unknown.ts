/** Stands in an expanded word for everything whose text cannot be known before the command runs. */
export const UNKNOWN = "\uFFFC";
