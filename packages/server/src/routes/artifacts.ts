import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import type { RunArtifact } from '@countersign/core';
import type { Context } from 'koa';
import rangeParser from 'range-parser';
import type { Handlers } from '../app/route-context.js';
import { createRefusal } from '../app/problem.js';
import { routes } from '@countersign/contract';
import { clientHasVersion } from '../middleware/if-none-match.js';
import { requireContentType } from '../middleware/media-types.js';
import { refuseEncodedBody, refuseOversizedBody } from '../middleware/read-body.js';
import { readUpload } from '../middleware/read-upload.js';
import { omitUndefined, toHandlerResult } from './runs.js';

export const artifactHandlers: Pick<Handlers, 'listArtifacts' | 'uploadArtifact' | 'downloadArtifact'> = {
  listArtifacts: async ({ services, request }) => {
    const { limit, cursor } = request.query;
    return {
      body: await services.app.runs.listArtifacts(request.params.runId, { limit, ...omitUndefined({ cursor }) }),
    };
  },

  uploadArtifact: async ({ ctx, services, request, caller, basePath }) => {
    const { runId, artifactName: name } = request.params;
    const { artifacts } = services.app;
    const contentType = requireContentType(ctx, routes.uploadArtifact);
    refuseForms(contentType);
    refuseEncodedBody(ctx.req);
    refuseOversizedBody(ctx.req, artifacts.maxBytes);
    await artifacts.requireRun(runId);
    const commandResponse = await readUpload(ctx.req, (content) =>
      artifacts.upload({ runId, name, contentType, content }, caller),
    );
    services.metrics.recordCommand('uploadArtifact');
    const { version, sha256 } = commandResponse.response;
    const location = `${basePath}/api/runs/${runId}/artifacts/${encodeURIComponent(name)}?version=${version}`;
    return toHandlerResult(commandResponse, { status: 201, headers: { Location: location, ETag: `"${sha256}"` } });
  },

  downloadArtifact: async ({ ctx, services, request, caller }) => {
    const { runId, artifactName } = request.params;
    const { artifacts } = services.app;
    const artifact = await artifacts.find(runId, artifactName, request.query.version);
    setDownloadHeaders(ctx, artifact);
    if (clientHasVersion(ctx, `"${artifact.sha256}"`)) {
      ctx.status = 304;
      return undefined;
    }
    const range = parseRange(ctx, artifact);
    const [start, end] = range === undefined ? [0, artifact.size - 1] : [range.start, range.end];
    if (range !== undefined) {
      ctx.status = 206;
      ctx.set('Content-Range', `bytes ${start}-${end}/${artifact.size}`);
    }
    ctx.length = end - start + 1;
    if (ctx.method === 'HEAD') {
      ctx.res.end();
      ctx.respond = false;
      return undefined;
    }
    await services.exportAudit.recordOnce(
      caller,
      'artifact.download',
      { type: 'artifact', id: `${runId}/${artifactName}` },
      { version: artifact.version, sha256: artifact.sha256 },
    );
    const content = await artifacts.open(artifact, range);
    await streamContent(ctx, content);
    return undefined;
  },
};

/**
 * Refuses multipart forms, whose parts and boundaries would become the content of the artifact.
 *
 * @throws {ApiError} `unsupported_media_type`
 */
function refuseForms(contentType: string): void {
  if (!/^multipart\/form-data\b/i.test(contentType)) return;
  throw createRefusal(
    'unsupported_media_type',
    'Send the content as the body, with its own content type, not as a form: use curl --data-binary @FILE, not -F.',
  );
}

/** Sets the status and headers of a download, so that a browser never executes the artifact. */
function setDownloadHeaders(ctx: Context, artifact: RunArtifact): void {
  ctx.status = 200;
  // With a fallback, a name with non-ASCII characters is also sent as `filename*` (RFC 6266, 4.3).
  ctx.attachment(artifact.name, { fallback: artifact.name.replaceAll(/[^\x20-\x7e]/gu, '_') });
  ctx.set({
    'Content-Type': artifact.contentType,
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    'ETag': `"${artifact.sha256}"`,
  });
}

/**
 * Returns the requested range (RFC 9110, 14.2); `undefined` means the whole artifact, for example without a `Range`
 * header or with several ranges.
 *
 * @throws {ApiError} `range_not_satisfiable`
 */
function parseRange(ctx: Context, { size, sha256 }: RunArtifact): { start: number; end: number } | undefined {
  const header = ctx.headers.range;
  const ifRange = ctx.headers['if-range'];
  if (header === undefined || ctx.method !== 'GET' || (ifRange !== undefined && ifRange !== `"${sha256}"`))
    return undefined;
  // Every suffix of an empty artifact is the whole artifact, and `Content-Range` of a 206 could not describe it.
  if (size === 0 && /^bytes=\s*-\d*[1-9]/.test(header)) return undefined;
  const ranges = rangeParser(size, clampSuffixRange(header, size), { combine: true });
  if (ranges === -2) return undefined;
  if (ranges === -1) {
    ctx.set('Content-Range', `bytes */${size}`);
    throw createRefusal('range_not_satisfiable', `The artifact has ${size} bytes.`);
  }
  const [range] = ranges;
  return ranges.type === 'bytes' && ranges.length === 1 && range !== undefined
    ? { start: range.start, end: range.end }
    : undefined;
}

/**
 * Replaces a suffix range that is longer than the artifact with the whole artifact (RFC 9110, 14.1.2), because
 * range-parser reports such a range as unsatisfiable.
 */
function clampSuffixRange(header: string, size: number): string {
  return header.replaceAll(/([=,]\s*)-(\d+)/g, (suffixRange, prefix: string, length: string) =>
    Number(length) > size ? `${prefix}0-` : suffixRange,
  );
}

/**
 * Streams the content without Koa, which would report a client's disconnect to the host application's error handler.
 */
async function streamContent(ctx: Context, content: Readable): Promise<void> {
  ctx.respond = false;
  ctx.onerror = ignore;
  try {
    await pipeline(content, ctx.res);
  } catch (error) {
    if (!isClientDisconnect(error)) throw error;
  } finally {
    // If the client disconnected earlier, the pipeline never started, and so did not close the content.
    content.destroy();
  }
}

const DISCONNECT_CODES: ReadonlySet<string> = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ERR_STREAM_DESTROYED',
  'ECONNRESET',
  'EPIPE',
]);

function isClientDisconnect(error: unknown): boolean {
  return error instanceof Error && 'code' in error && DISCONNECT_CODES.has(String(error.code));
}

function ignore(): void {
  // A client's disconnect is not an error.
}
