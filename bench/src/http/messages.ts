/** Methods by which a client learns of approvals and the ends of runs. */
export const FOLLOWING = Object.freeze(['list', 'stream'] as const);
export type Following = (typeof FOLLOWING)[number];

/** Order for the load driver, over the channel of `fork`. */
export interface LoadOrder {
  readonly url: string;
  readonly starterToken: string;
  readonly approverToken: string;
  readonly runs: number;
  readonly following: Following;
}

/** Response when all runs have ended, or one has failed. Times in ms, one per request. */
export type LoadAnswer =
  | { readonly startMs: number[]; readonly decideMs: number[]; readonly otherRequests: number }
  | { readonly error: string };
