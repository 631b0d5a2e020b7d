/** Limits of requests that clients must know. They have their own file, so that clients need not load the schemas. */

/** Maximum number of approvals that are listed by their ids. */
export const MAX_APPROVAL_IDS = 100;

/** Maximum number of runs that one request cancels or recovers. */
export const MAX_BULK_RUNS = 1_000;
