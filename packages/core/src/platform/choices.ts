/** The most values that a filter accepts: more than any field has, even with repeats. */
export const MAX_CHOICES = 100;
