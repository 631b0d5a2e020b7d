import type { Handlers } from '../app/exchange.js';
import { refusal } from '../app/problem.js';

export const bulkRunHandlers: Pick<Handlers, 'bulkCancelRuns' | 'bulkRecoverRuns'> = {
  bulkCancelRuns: async () => Promise.reject(refusal('service_unavailable', 'Not served yet.')),

  bulkRecoverRuns: async () => Promise.reject(refusal('service_unavailable', 'Not served yet.')),
};
