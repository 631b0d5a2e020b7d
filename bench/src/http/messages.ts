/** Methods by which a client learns of approvals and the ends of runs. */
export const FOLLOW_METHODS = Object.freeze(['list', 'stream'] as const);
export type FollowMethod = (typeof FOLLOW_METHODS)[number];

/** Request to the load driver, sent over the channel of `fork`. */
export interface LoadRequest {
  readonly url: string;
  readonly starterToken: string;
  readonly approverToken: string;
  readonly runs: number;
  readonly followMethod: FollowMethod;
}

/** Response of the load driver when all runs have ended or one has failed. The times are in ms, one per request. */
export type LoadResponse =
  | { readonly startMs: number[]; readonly decideMs: number[]; readonly otherRequestCount: number }
  | { readonly error: string };
