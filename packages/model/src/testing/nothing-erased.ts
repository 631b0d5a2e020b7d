import type { RunErasure } from '../run-erasure.js';

/** An erasure that leaves all rows as they are. */
export const NOTHING_ERASED: RunErasure = {
  events: [],
  auditEvents: [],
  approvals: [],
  questions: [],
  artifacts: [],
  deliveries: [],
  inboundEvents: [],
};
