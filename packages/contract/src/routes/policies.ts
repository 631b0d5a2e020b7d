import { defineRoute } from '../define-route.js';
import { policySchema, policyTrialSchema, tryPolicyBodySchema } from '../schemas/policy.js';
import { listRecordedDecisionsQuerySchema, recordedDecisionListSchema } from '../schemas/recorded-decision.js';
import { policyParams } from './params.js';
import { jsonResponse } from './json-response.js';

export const policyRoutes = {
  getPolicy: defineRoute({
    operationId: 'getPolicy',
    method: 'get',
    path: '/api/policy',
    tag: 'policy',
    summary: 'Get the policy in force',
    role: 'operator',
    responses: { 200: jsonResponse(policySchema, 'The policy.') },
    errors: ['policy_not_found'],
  }),
  listPolicyDecisions: defineRoute({
    operationId: 'listPolicyDecisions',
    method: 'get',
    path: '/api/policy/decisions',
    tag: 'policy',
    summary: 'List policy decisions',
    description: 'Policy decisions on steps and tool calls of all runs, newest first.',
    role: 'viewer',
    query: listRecordedDecisionsQuerySchema,
    responses: { 200: jsonResponse(recordedDecisionListSchema, 'A page of policy decisions.') },
    errors: [],
  }),
  getPolicyVersion: defineRoute({
    operationId: 'getPolicyVersion',
    method: 'get',
    path: '/api/policy/{digest}',
    tag: 'policy',
    summary: 'Get a current or former policy',
    description: 'Returns the policy with this digest, for example the digest in a policy decision.',
    role: 'operator',
    params: policyParams,
    notFound: 'policy_not_found',
    responses: { 200: jsonResponse(policySchema, 'The policy.') },
    errors: ['policy_not_found'],
  }),
  tryPolicy: defineRoute({
    operationId: 'tryPolicy',
    method: 'post',
    path: '/api/policy/try',
    tag: 'policy',
    summary: 'Try a draft policy on past runs',
    description:
      'Evaluates a draft for the steps and tool calls of past runs, and lists the decisions that differ. Nothing is recorded, and the draft is neither stored nor applied.',
    role: 'admin',
    body: tryPolicyBodySchema,
    responses: { 200: jsonResponse(policyTrialSchema, 'The decisions that differ.') },
    errors: ['policy_invalid', 'policy_not_found'],
  }),
};
