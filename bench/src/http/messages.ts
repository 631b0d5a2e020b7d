/** How a client learns of approvals and ends. */
export const FOLLOWING = Object.freeze(['list', 'stream'] as const);
export type Following = (typeof FOLLOWING)[number];

/** What the load driver is told, over the channel that `fork` opens. */
export interface LoadOrder {
  readonly url: string;
  readonly starterToken: string;
  readonly approverToken: string;
  readonly runs: number;
  readonly following: Following;
}

/** What it answers when all runs have ended, or one has failed. Times in ms, one for each request. */
export type LoadAnswer =
  | { readonly startMs: number[]; readonly decideMs: number[]; readonly otherRequests: number }
  | { readonly error: string };
