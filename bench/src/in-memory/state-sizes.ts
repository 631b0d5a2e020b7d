/** Sizes of a run's state as JSON. */
export interface StateSizes {
  /** Maximum size, which the state has while the approval is pending. */
  readonly maxBytes: number;
  /** Size after the end of the run. */
  readonly endBytes: number;
}
