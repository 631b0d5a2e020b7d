/** Runs in flight at any time: the workload's definition. */
export const IN_FLIGHT = 32;
