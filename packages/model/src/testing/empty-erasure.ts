import type { RunErasure } from '../run-erasure.js';

/** An erasure that changes no rows. */
export const EMPTY_ERASURE: RunErasure = {
  events: [],
  auditEvents: [],
  approvals: [],
  questions: [],
  artifacts: [],
  deliveries: [],
  inboundEvents: [],
};
