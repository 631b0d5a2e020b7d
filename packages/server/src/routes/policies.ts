import type { Handlers } from '../app/exchange.js';
import { refusal } from '../app/problem.js';
import { runFilterOf } from './runs.js';

export const policyHandlers: Pick<Handlers, 'getPolicy' | 'listPolicyDecisions' | 'getPolicyVersion' | 'tryPolicy'> = {
  getPolicy: async ({ services }) => ({ body: await services.app.policies.inForce() }),

  listPolicyDecisions: async () => Promise.reject(refusal('service_unavailable', 'Decisions are not listed yet.')),

  getPolicyVersion: async ({ services, request }) => ({ body: await services.app.policies.get(request.params.digest) }),

  tryPolicy: async ({ services, request }) => {
    const { policies, runs, limit } = request.body;
    return { body: await services.app.policies.try({ policies, runs: runFilterOf(runs), limit }) };
  },
};
