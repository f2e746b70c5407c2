/** The time windows that lists and statistics offer. Each ends now, by the server's clock. */
export const PERIODS = ["24h", "7d", "30d"] as const;
export type Period = (typeof PERIODS)[number];

export const PERIOD_LABELS: Readonly<Record<Period, string>> = { "24h": "24 h", "7d": "7 days", "30d": "30 days" };
