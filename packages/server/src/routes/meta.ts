import { createHash } from 'node:crypto';
import { buildOpenApiDocument } from '@countersign/contract';
import type { Context } from 'koa';
import type { Handlers } from '../app/route-context.js';
import { clientHasVersion } from '../middleware/if-none-match.js';
import { renderDocsPage, DOCS_POLICY } from './docs-page.js';

interface CachedDocument {
  readonly text: string;
  readonly etag: string;
}

/** OpenAPI documents by version and base path; building one is slow. */
const documents = new Map<string, CachedDocument>();
/** Bounds the cache, because a host application may mount the API under paths that callers choose. */
const MAX_DOCUMENTS = 16;

export const metaHandlers: Pick<Handlers, 'getOpenApi' | 'getApiDocs' | 'getMetrics'> = {
  getOpenApi: async ({ ctx, services, basePath }) => {
    const { text, etag } = getDocument(services.version, basePath);
    ctx.status = 200;
    ctx.set({ 'ETag': etag, 'Cache-Control': 'no-cache' });
    if (clientHasVersion(ctx, etag)) ctx.status = 304;
    else writeText(ctx, 'application/json', text);
    return undefined;
  },

  getApiDocs: async ({ ctx, basePath }) => {
    ctx.set('Content-Security-Policy', DOCS_POLICY);
    writeText(ctx, 'text/html', renderDocsPage(basePath));
    return undefined;
  },

  getMetrics: async ({ ctx, services }) => {
    const { registry } = services.metrics;
    const text = await registry.metrics();
    ctx.status = 200;
    ctx.set('Content-Type', registry.contentType);
    ctx.body = text;
    return undefined;
  },
};

function getDocument(version: string, basePath: string): CachedDocument {
  const key = `${version} ${basePath}`;
  const cached = documents.get(key);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(buildOpenApiDocument({ version, servers: [{ url: basePath === '' ? '/' : basePath }] }));
  const newDocument = { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
  if (documents.size >= MAX_DOCUMENTS) documents.clear();
  documents.set(key, newDocument);
  return newDocument;
}

function writeText(ctx: Context, type: string, text: string): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.body = text;
}
