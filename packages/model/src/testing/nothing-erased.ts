import type { RunErasure } from '../run-erasure.js';

/** An erasure that changes no rows. */
export const NOTHING_ERASED: RunErasure = {
  events: [],
  auditEvents: [],
  approvals: [],
  questions: [],
  artifacts: [],
  deliveries: [],
  inboundEvents: [],
};
