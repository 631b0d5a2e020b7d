import type { Artifact } from '../schemas/artifact.js';
import type { FetchResponse, UploadBody } from './fetch-like.js';
import { readJson } from './json-call.js';
import { ROUTE_CALLS } from './route-calls.js';
import type { RequestOptions, Transport } from './transport.js';

export interface UploadArtifactArgs {
  readonly runId: string;
  readonly artifactName: string;
  readonly body: UploadBody;
  /** Default: `application/octet-stream`. */
  readonly contentType?: string;
}

export interface DownloadArtifactArgs {
  readonly runId: string;
  readonly artifactName: string;
  /** Default: the newest version. */
  readonly version?: number;
  /** First and last byte, both inclusive (RFC 9110 §14.1.2); without `end`, up to the last byte. */
  readonly range?: { readonly start: number; readonly end?: number };
}

/** An artifact download: read `response.body` as a stream, or all of it with `bytes()`. */
export interface ArtifactDownload {
  readonly contentType: string;
  /** Length of the response in bytes; `undefined` if the server does not state it. */
  readonly size: number | undefined;
  readonly etag: string | undefined;
  /** Whether the response contains only the requested `range`. */
  readonly partial: boolean;
  readonly response: FetchResponse;
  bytes(): Promise<Uint8Array>;
}

export function uploadArtifact(
  transport: Transport,
  args: UploadArtifactArgs,
  options: RequestOptions = {},
): Promise<Artifact> {
  const { runId, artifactName, body, contentType = 'application/octet-stream' } = args;
  const request = { params: { runId, artifactName }, body, contentType };
  return transport.send(ROUTE_CALLS.uploadArtifact, request, options, (response) =>
    readJson<Artifact>(response, options.signal),
  );
}

export function downloadArtifact(
  transport: Transport,
  args: DownloadArtifactArgs,
  options: RequestOptions = {},
): Promise<ArtifactDownload> {
  const { runId, artifactName, version, range } = args;
  const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
  const request = { params: { runId, artifactName }, query: { version }, accept: '*/*' };
  return transport.send(
    ROUTE_CALLS.downloadArtifact,
    request,
    { ...options, headers: { ...headers, ...options.headers } },
    toDownload,
  );
}

function toDownload(response: FetchResponse): ArtifactDownload {
  const size = response.headers.get('content-length');
  return {
    contentType: response.headers.get('content-type') ?? 'application/octet-stream',
    size: size === null ? undefined : Number(size),
    etag: response.headers.get('etag') ?? undefined,
    partial: response.status === 206,
    response,
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
  };
}
