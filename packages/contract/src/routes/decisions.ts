import { defineRoute } from '../define-route.js';
import {
  dmnDecisionDetailSchema,
  dmnDecisionListSchema,
  deployedDecisionsSchema,
  getDecisionQuerySchema,
  listDecisionsQuerySchema,
} from '../schemas/dmn-decision.js';
import { decisionParams, dmnSchema } from './params.js';
import { json } from './respond.js';

export const decisionRoutes = {
  listDecisions: defineRoute({
    operationId: 'listDecisions',
    method: 'get',
    path: '/api/decisions',
    tag: 'decisions',
    summary: 'List decisions',
    role: 'viewer',
    query: listDecisionsQuerySchema,
    responses: { 200: json(dmnDecisionListSchema, 'A page of decisions, each in its newest version.') },
    errors: [],
  }),
  getDecision: defineRoute({
    operationId: 'getDecision',
    method: 'get',
    path: '/api/decisions/{decisionId}',
    tag: 'decisions',
    summary: 'Get a decision with its DMN',
    role: 'viewer',
    params: decisionParams,
    notFound: 'decision_not_found',
    query: getDecisionQuerySchema,
    responses: { 200: json(dmnDecisionDetailSchema, 'The decision.') },
    errors: ['decision_version_not_found'],
  }),
  deployDecisions: defineRoute({
    operationId: 'deployDecisions',
    method: 'post',
    path: '/api/decisions',
    tag: 'decisions',
    summary: 'Deploy the decisions of a file',
    description:
      'The same bytes again are the same versions (200); other bytes are the next one of each decision in them (201). ' +
      'A business rule task evaluates the version that is the newest when it is reached, also in runs that began before. ' +
      'A model that cannot be evaluated faithfully is refused as a whole; `errors` names each element.',
    role: 'admin',
    roleSetting: 'Auth:DeployRole',
    body: dmnSchema,
    bodyContentType: ['application/xml', 'text/xml'],
    responses: {
      200: json(deployedDecisionsSchema, 'These bytes were deployed before.'),
      201: json(deployedDecisionsSchema, 'New versions.', ['Location']),
    },
    errors: ['model_refused'],
  }),
};
