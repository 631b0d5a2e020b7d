/**
 * Pause between reloads of the inbox: what changes only with the time, such as the end of a delegation, is not in the
 * change feed, and a list that could not be loaded is loaded again.
 */
export const RELOAD_MS = 5 * 60_000;
