import { defineRoute } from '../define-route.js';
import { policySchema, policyTrialSchema, tryPolicyBodySchema } from '../schemas/policy.js';
import { listRecordedDecisionsQuerySchema, recordedDecisionListSchema } from '../schemas/recorded-decision.js';
import { policyParams } from './params.js';
import { json } from './respond.js';

export const policyRoutes = {
  getPolicy: defineRoute({
    operationId: 'getPolicy',
    method: 'get',
    path: '/api/policy',
    tag: 'policy',
    summary: 'Get the policy in force',
    role: 'operator',
    responses: { 200: json(policySchema, 'The policy.') },
    errors: ['policy_not_found'],
  }),
  listPolicyDecisions: defineRoute({
    operationId: 'listPolicyDecisions',
    method: 'get',
    path: '/api/policy/decisions',
    tag: 'policy',
    summary: 'List what the policy has decided',
    description: 'About steps and calls of agents, across runs, newest first.',
    role: 'viewer',
    query: listRecordedDecisionsQuerySchema,
    responses: { 200: json(recordedDecisionListSchema, 'A page of decisions.') },
    errors: [],
  }),
  getPolicyVersion: defineRoute({
    operationId: 'getPolicyVersion',
    method: 'get',
    path: '/api/policy/{digest}',
    tag: 'policy',
    summary: 'Get a policy that was in force',
    description: 'Every decision names the digest of its policy; this is what that policy said.',
    role: 'operator',
    params: policyParams,
    notFound: 'policy_not_found',
    responses: { 200: json(policySchema, 'The policy.') },
    errors: ['policy_not_found'],
  }),
  tryPolicy: defineRoute({
    operationId: 'tryPolicy',
    method: 'post',
    path: '/api/policy/try',
    tag: 'policy',
    summary: 'Try a draft of the policy on past runs',
    description:
      'Decides the steps and the calls of past runs again under a draft, and lists what comes out otherwise. Nothing is recorded, and nothing of the draft is kept or comes into force.',
    role: 'admin',
    body: tryPolicyBodySchema,
    responses: { 200: json(policyTrialSchema, 'What would change.') },
    errors: ['policy_invalid', 'policy_not_found'],
  }),
};
