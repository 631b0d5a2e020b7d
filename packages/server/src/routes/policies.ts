import type { Handlers } from '../app/route-context.js';
import { defined, runFilterOf } from './runs.js';

export const policyHandlers: Pick<Handlers, 'getPolicy' | 'listPolicyDecisions' | 'getPolicyVersion' | 'tryPolicy'> = {
  getPolicy: async ({ services }) => ({ body: await services.app.policies.inForce() }),

  listPolicyDecisions: async ({ services, request }) => {
    const { limit, cursor, ...filter } = request.query;
    return { body: await services.app.policyDecisions.list(defined(filter), { limit, ...defined({ cursor }) }) };
  },

  getPolicyVersion: async ({ services, request }) => ({ body: await services.app.policies.get(request.params.digest) }),

  tryPolicy: async ({ services, request }) => {
    const { policies, runs, limit } = request.body;
    return { body: await services.app.policies.try({ policies, runs: runFilterOf(runs), limit }) };
  },
};
