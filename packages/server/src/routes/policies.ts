import type { Handlers } from '../app/route-context.js';
import { omitUndefined, toRunFilter } from './runs.js';

export const policyHandlers: Pick<Handlers, 'getPolicy' | 'listPolicyDecisions' | 'getPolicyVersion' | 'tryPolicy'> = {
  getPolicy: async ({ services }) => ({ body: await services.app.policies.getCurrent() }),

  listPolicyDecisions: async ({ services, request }) => {
    const { limit, cursor, ...filter } = request.query;
    return {
      body: await services.app.policyDecisions.list(omitUndefined(filter), { limit, ...omitUndefined({ cursor }) }),
    };
  },

  getPolicyVersion: async ({ services, request }) => ({ body: await services.app.policies.get(request.params.digest) }),

  tryPolicy: async ({ services, request }) => {
    const { policies, runs, limit } = request.body;
    return { body: await services.app.runPolicyTrial.execute({ policies, runFilter: toRunFilter(runs), limit }) };
  },
};
