import type { RouteDefinition } from '../define-route.js';
import type { Routes } from '../routes/index.js';
import type { Artifact } from '../schemas/artifact.js';
import type { RunEvent } from '../schemas/run-event.js';
import {
  downloadArtifact,
  uploadArtifact,
  type ArtifactDownload,
  type DownloadArtifactArgs,
  type UploadArtifactArgs,
} from './artifact-transfer.js';
import type { JsonMethods } from './client-types.js';
import { streamChanges, streamRunEvents, type ChangeMessage, type StreamRunEventsArgs } from './event-methods.js';
import type { FollowOptions } from './follow-events.js';
import { createJsonCall } from './json-call.js';
import { toRouteCall, type RouteCall } from './route-call.js';
import { ROUTE_CALLS } from './route-calls.js';
import { Transport, type RequestOptions, type TransportOptions } from './transport.js';

export interface ClientOptions<R extends Record<string, RouteDefinition> = Routes> extends TransportOptions {
  /** Routes by operation id, including those of plugins. Default: the routes of the contract. */
  readonly routes?: R;
}

/** The methods for raw bytes and streams. */
export interface StreamMethods {
  uploadArtifact(args: UploadArtifactArgs, options?: RequestOptions): Promise<Artifact>;
  downloadArtifact(args: DownloadArtifactArgs, options?: RequestOptions): Promise<ArtifactDownload>;
  /** Streams the events of a run; reconnects automatically, and ends with the run. */
  streamRunEvents(args: StreamRunEventsArgs, options?: FollowOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** Streams changes for lists and inboxes; reconnects automatically, and never ends. */
  streamChanges(options?: FollowOptions): AsyncGenerator<ChangeMessage, void, undefined>;
}

/** A client of the API: one method per JSON route, named by its operation id, and methods for bytes and streams. */
export type Client<R extends Record<string, RouteDefinition> = Routes> = JsonMethods<R> & StreamMethods;

/**
 * Creates a client. It runs on any platform with `fetch` (Node, browsers, Electron). Error responses are thrown as
 * `ProblemError`. Requests to routes that accept an `Idempotency-Key` get one automatically.
 *
 *     const client = createClient({ baseUrl: 'http://127.0.0.1:8080', token });
 *     const run = await client.startRun({ body: { workflowId: 'release-approval' } });
 *     for await (const event of client.streamRunEvents({ runId: run.runId })) console.log(event.type);
 */
export function createClient<R extends Record<string, RouteDefinition> = Routes>(options: ClientOptions<R>): Client<R> {
  const transport = new Transport(options);
  const calls: Readonly<Record<string, RouteCall>> =
    options.routes === undefined
      ? ROUTE_CALLS
      : Object.fromEntries(Object.entries(options.routes).map(([id, route]) => [id, toRouteCall(route)]));
  const jsonMethods = Object.fromEntries(
    Object.entries(calls)
      .filter(([, route]) => route.hasMethod === true)
      .map(([operationId, route]) => [operationId, createJsonCall(transport, route)]),
  );
  const streamMethods: StreamMethods = {
    uploadArtifact: (args, request) => uploadArtifact(transport, args, request),
    downloadArtifact: (args, request) => downloadArtifact(transport, args, request),
    streamRunEvents: (args, follow) => streamRunEvents(transport, args, follow),
    streamChanges: (follow) => streamChanges(transport, follow),
  };
  return Object.freeze({ ...jsonMethods, ...streamMethods }) as Client<R>;
}
