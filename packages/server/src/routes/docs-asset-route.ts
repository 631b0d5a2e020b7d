import { defineRoute } from '@countersign/contract';
import { z } from 'zod';
import { createRefusal } from '../app/problem.js';
import type { ServedRoute } from '../app/route-table.js';
import { serveDocsAsset } from './docs-page.js';

const definition = defineRoute({
  operationId: 'getApiDocsAsset',
  method: 'get',
  path: '/api/docs/{asset}',
  tag: 'meta',
  summary: 'An asset of the API documentation page',
  role: 'anonymous',
  params: z.strictObject({ asset: z.string() }),
  responses: { 200: { description: 'The asset.', content: { '*/*': z.string() } } },
  errors: [],
});

/**
 * The route of the assets of the API documentation page. It is not part of the contract, because only this page uses
 * it.
 */
export const docsAssetRoute: ServedRoute = {
  definition,
  role: 'anonymous',
  handler: async ({ ctx, request }) => {
    const { asset } = request.params as { asset: string };
    if (!(await serveDocsAsset(ctx, asset)))
      throw createRefusal('not_found', 'The API documentation page has no asset of this name.');
    return undefined;
  },
};
