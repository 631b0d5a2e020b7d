import { z } from 'zod';
import { defineRoute } from '../define-route.js';
import {
  artifactListSchema,
  artifactSchema,
  downloadArtifactQuerySchema,
  listArtifactsQuerySchema,
} from '../schemas/artifact.js';
import { artifactParams, bytesSchema, runParams } from './params.js';
import { jsonResponse } from './json-response.js';

const bytesContent = { '*/*': bytesSchema };

export const artifactRoutes = {
  listArtifacts: defineRoute({
    operationId: 'listArtifacts',
    method: 'get',
    path: '/api/runs/{runId}/artifacts',
    tag: 'artifacts',
    summary: 'List the artifacts of a run',
    description: 'Returns all versions, newest first.',
    role: 'viewer',
    params: runParams,
    notFound: 'run_not_found',
    query: listArtifactsQuerySchema,
    responses: { 200: jsonResponse(artifactListSchema, 'A page of artifacts.') },
    errors: [],
  }),
  uploadArtifact: defineRoute({
    operationId: 'uploadArtifact',
    method: 'post',
    path: '/api/runs/{runId}/artifacts/{artifactName}',
    tag: 'artifacts',
    summary: 'Upload an artifact',
    description:
      'The body is the raw bytes with their content type; `multipart/form-data` is refused. An existing name gets a new version; nothing is overwritten. Also possible after the run has ended.',
    role: 'operator',
    params: artifactParams,
    chosenName: 'artifactName',
    notFound: 'run_not_found',
    body: bytesSchema,
    bodyContentType: '*/*',
    responses: { 201: jsonResponse(artifactSchema, 'The new version.', ['Location', 'ETag']) },
    errors: ['invalid_parameter', 'storage_full'],
  }),
  downloadArtifact: defineRoute({
    operationId: 'downloadArtifact',
    method: 'get',
    path: '/api/runs/{runId}/artifacts/{artifactName}',
    tag: 'artifacts',
    summary: 'Download an artifact',
    role: 'viewer',
    params: artifactParams,
    chosenName: 'artifactName',
    notFound: 'artifact_not_found',
    query: downloadArtifactQuerySchema,
    headers: z.object({
      'range': z.string().optional().meta({ description: 'Byte range (RFC 9110).', example: 'bytes=0-1023' }),
      'if-range': z.string().optional(),
      'if-none-match': z.string().optional(),
    }),
    responses: {
      200: {
        description: 'The bytes, with the content type of the upload.',
        content: bytesContent,
        headers: ['ETag', 'Content-Disposition', 'Accept-Ranges'],
      },
      206: {
        description: 'The requested range.',
        content: bytesContent,
        headers: ['ETag', 'Content-Disposition', 'Content-Range'],
      },
      304: { description: 'Unchanged.', headers: ['ETag'] },
    },
    errors: ['run_not_found', 'range_not_satisfiable', 'artifact_damaged'],
  }),
};
