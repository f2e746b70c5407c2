/** The largest value of an `integer` column; whatever is stored in one is bounded by it before it reaches the database. */
export const INT4_MAX = 2_147_483_647;
