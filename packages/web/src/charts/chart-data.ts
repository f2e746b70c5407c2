export interface ChartSeries {
  readonly name: string;
  /** Sets the colour as `currentColor`, for example "text-accent". */
  readonly color: string;
}

export interface ChartBar {
  /** Shown below the bar. */
  readonly label: string;
  /** Shown in the readout and the table. */
  readonly exactLabel: string;
  /** One for each series, stacked in their order. */
  readonly values: readonly number[];
}
