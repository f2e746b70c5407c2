/** How many values a filter takes; more than any field has, repeats included. */
export const MAX_CHOICES = 100;
