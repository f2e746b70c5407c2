/** The largest value of an `integer` column. Inputs stored in one are bounded by it before they reach the database. */
export const INT4_MAX = 2_147_483_647;
