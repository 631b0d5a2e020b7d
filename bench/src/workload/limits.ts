/** Runs in flight at any time, as defined by the workload. */
export const IN_FLIGHT = 32;
