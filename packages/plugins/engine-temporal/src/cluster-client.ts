import { setMaxListeners } from 'node:events';
import { Client } from '@temporalio/client';
import { ClusterConnection } from './cluster-connection.js';
import { ClusterLimitError, isDeadlineExceeded, isUnreachable } from './cluster-errors.js';
import type { TemporalConfiguration } from './configuration.js';
import { createClientOptions, readConnectionOptions, withServerName } from './connection-options.js';

/** Maximum time of a request to the cluster, including its retries, in ms. */
const REQUEST_TIMEOUT_MS = 5_000;
/** How long requests must have failed before a success counts as a recovery, in ms. */
const MIN_OUTAGE_MS = 2_000;

interface Services {
  readonly connection: ClusterConnection;
  readonly workflow: Client['workflow'];
}

/** Sends requests to the cluster, each with a deadline. */
export class ClusterClient {
  private services: Promise<Services> | undefined;
  private readonly abortController = new AbortController();
  private readonly activeRequests = new Set<Promise<void>>();
  /** When the cluster last limited the requests of this server, in ms. */
  private limitedAt = -Infinity;
  /** When the cluster last responded, in ms. */
  private respondedAt = -Infinity;
  /** Start of an outage, in ms: no request that was sent since then has been answered. */
  private unreachableSince: number | undefined;

  /** @param onRecovered called when the cluster responds again after an outage */
  constructor(
    private readonly configuration: TemporalConfiguration,
    private readonly onRecovered: () => void,
  ) {
    allowManyListeners(this.abortController.signal);
  }

  /**
   * Sends a request, or several that belong together.
   *
   * @throws {ClusterLimitError} if the cluster limits the requests of this server
   */
  async request<T>(send: (services: Services) => Promise<T>, timeoutMs: number = REQUEST_TIMEOUT_MS): Promise<T> {
    const services = await this.getServices();
    const { signal } = this.abortController;
    signal.throwIfAborted();
    const call = new AbortController();
    allowManyListeners(call.signal);
    const request = services.connection.withDeadline(Date.now() + timeoutMs, () =>
      services.connection.withAbortSignal(call.signal, () => send(services)),
    );
    const settled = request.then(ignore, ignore).finally(() => this.activeRequests.delete(settled));
    this.activeRequests.add(settled);
    const sentAt = performance.now();
    try {
      const result = await rejectOnAbort(signal, request, call);
      this.handleResponse();
      return result;
    } catch (error) {
      if (isUnreachable(error) && !signal.aborted) this.unreachableSince ??= Math.max(sentAt, this.respondedAt);
      // The last error of a request that was repeated until its deadline is only that the deadline has passed.
      throw this.limitedAt >= sentAt && isDeadlineExceeded(error) ? new ClusterLimitError() : error;
    }
  }

  /** Makes all requests fail from now on, including those in progress. */
  abortRequests(): void {
    this.abortController.abort(new Error('the connection to the Temporal cluster is being closed'));
  }

  /** Aborts all requests. The connection closes when they have ended. */
  async close(): Promise<void> {
    this.abortRequests();
    const services = await this.services?.catch(() => undefined);
    // A request that the SDK is about to repeat would throw an uncaught error.
    void Promise.allSettled(this.activeRequests)
      .then(() => services?.connection.close())
      .catch(() => undefined);
  }

  private handleResponse(): void {
    const { unreachableSince } = this;
    this.unreachableSince = undefined;
    this.respondedAt = performance.now();
    if (unreachableSince !== undefined && this.respondedAt - unreachableSince > MIN_OUTAGE_MS) this.onRecovered();
  }

  /** Returns the services. They connect with the first request, and again by themselves after a connection was lost. */
  private getServices(): Promise<Services> {
    this.services ??= this.createServices().catch((error: unknown) => {
      this.services = undefined;
      throw error;
    });
    return this.services;
  }

  private async createServices(): Promise<Services> {
    const options = withServerName(await readConnectionOptions(this.configuration));
    const clientOptions = createClientOptions(this.abortController.signal, () => (this.limitedAt = performance.now()));
    const connection = ClusterConnection.lazy({
      ...options,
      ...clientOptions,
      channelArgs: { ...clientOptions.channelArgs, ...options.channelArgs },
      connectTimeout: REQUEST_TIMEOUT_MS,
      // `lazy` creates an instance of its class, but is declared to return the base class.
    }) as ClusterConnection;
    return { connection, workflow: new Client({ connection, namespace: this.configuration.Namespace }).workflow };
  }
}

/**
 * Rejects when the signal is aborted, even if the request waits for the connection, which the SDK does not abort.
 *
 * @param call aborts the call of the request
 */
function rejectOnAbort<T>(signal: AbortSignal, request: Promise<T>, call: AbortController): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      call.abort();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    request.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Each request in progress adds a listener. */
function allowManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}

function ignore(): void {
  // The caller gets the result.
}
