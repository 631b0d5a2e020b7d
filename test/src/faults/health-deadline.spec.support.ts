import { seconds } from '@countersign/testing';

/** Health must respond within one second; the rest is slack for a busy machine. */
export const HEALTH_DEADLINE_MS = seconds(3);
