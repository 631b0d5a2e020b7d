/** Bytes of a run's state as JSON. */
export interface StateSizes {
  /** Maximum size: while the approval is pending. */
  readonly largest: number;
  readonly ended: number;
}
