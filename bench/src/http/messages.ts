/** Methods by which a client learns of approvals and the ends of runs. */
export const FOLLOW_METHODS = Object.freeze(['list', 'stream'] as const);
export type FollowMethod = (typeof FOLLOW_METHODS)[number];

/** Order for the load driver, over the channel of `fork`. */
export interface LoadRequest {
  readonly url: string;
  readonly starterToken: string;
  readonly approverToken: string;
  readonly runs: number;
  readonly following: FollowMethod;
}

/** Response when all runs have ended, or one has failed. Times in ms, one per request. */
export type LoadResponse =
  | { readonly startMs: number[]; readonly decideMs: number[]; readonly otherRequests: number }
  | { readonly error: string };
