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
  summary: 'An asset of the page that shows this API description',
  role: 'anonymous',
  params: z.strictObject({ asset: z.string() }),
  responses: { 200: { description: 'The asset.', content: { '*/*': z.string() } } },
  errors: [],
});

/** The route of the page's assets. It is not part of the contract, because only the page itself uses it. */
export const docsAssetRoute: ServedRoute = {
  definition,
  role: 'anonymous',
  handler: async ({ ctx, request }) => {
    const { asset } = request.params as { asset: string };
    if (!(await serveDocsAsset(ctx, asset))) throw createRefusal('not_found', 'The page has no such asset.');
    return undefined;
  },
};
