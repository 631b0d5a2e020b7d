import { defineRoute } from '../define-route.js';
import {
  dmnDecisionDetailSchema,
  dmnDecisionListSchema,
  deployedDecisionsSchema,
  getDecisionQuerySchema,
  listDecisionsQuerySchema,
} from '../schemas/dmn-decision.js';
import { decisionParams, dmnXmlSchema } from './params.js';
import { jsonResponse } from './json-response.js';

export const decisionRoutes = {
  listDecisions: defineRoute({
    operationId: 'listDecisions',
    method: 'get',
    path: '/api/decisions',
    tag: 'decisions',
    summary: 'List DMN decisions',
    role: 'viewer',
    query: listDecisionsQuerySchema,
    responses: { 200: jsonResponse(dmnDecisionListSchema, 'A page of DMN decisions, each in its latest version.') },
    errors: [],
  }),
  getDecision: defineRoute({
    operationId: 'getDecision',
    method: 'get',
    path: '/api/decisions/{decisionId}',
    tag: 'decisions',
    summary: 'Get a DMN decision with its file',
    role: 'viewer',
    params: decisionParams,
    notFound: 'decision_not_found',
    query: getDecisionQuerySchema,
    responses: { 200: jsonResponse(dmnDecisionDetailSchema, 'The DMN decision.') },
    errors: ['decision_version_not_found'],
  }),
  deployDecisions: defineRoute({
    operationId: 'deployDecisions',
    method: 'post',
    path: '/api/decisions',
    tag: 'decisions',
    summary: 'Deploy the DMN decisions of a file',
    description:
      'Deploying the same bytes again returns the same versions (200); other bytes create the next version of each decision in the file (201). ' +
      'A business rule task evaluates the latest version at the time it is entered, also in runs that started before the deployment. ' +
      'A DMN model that cannot be evaluated exactly as the standard specifies is refused as a whole; `errors` names each element.',
    role: 'admin',
    roleSetting: 'Auth:DeployRole',
    body: dmnXmlSchema,
    bodyContentType: ['application/xml', 'text/xml'],
    responses: {
      200: jsonResponse(deployedDecisionsSchema, 'These bytes were deployed before.'),
      201: jsonResponse(deployedDecisionsSchema, 'New versions.', ['Location']),
    },
    errors: ['model_refused', 'not_supported_by_engine'],
  }),
};
