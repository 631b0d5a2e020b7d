/** Bytes of a run's state as JSON. */
export interface StateSizes {
  /** Where it is largest: while the approval is pending. */
  readonly largest: number;
  readonly ended: number;
}
