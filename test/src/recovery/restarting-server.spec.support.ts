import { createClient, type Client, type FetchLike, type Role } from '@countersign/contract';
import type { JsonObject } from '@countersign/core';
import { mintDevToken } from '@countersign/server';
import { findFreePort } from '../free-port.spec.support.js';
import type { Failpoint } from './failpoints.js';
import { IMPATIENT_OPTIONS, ServerChild, ServerExitedError, type ControlRequest } from './server-child.spec.support.js';

export interface RestartingServerOptions {
  readonly dataDirectory: string;
  /** Connection string of an external PostgreSQL; by default the server starts its own. */
  readonly connectionString?: string;
  readonly effects: string | null;
  /** Additional configuration. */
  readonly configuration?: JsonObject;
  /** Module that the server process runs, if not the default. */
  readonly main?: string;
}

/** Server that is restarted with the same data and port whenever it is killed, as a process supervisor does. */
export class RestartingServer {
  /** Number of kills. */
  kills = 0;
  private currentServer: Promise<ServerChild>;
  private port = 0;
  private isStopping = false;

  constructor(private readonly options: RestartingServerOptions) {
    this.currentServer = this.restart();
    this.currentServer.catch(() => undefined);
  }

  /** The running process, once it is ready. */
  get runningServer(): Promise<ServerChild> {
    return this.currentServer;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Kills the server at a future visit of a failpoint; `null` disarms the armed failpoint. */
  async armFailpoint(failpoint: Failpoint | null, visit = 1): Promise<void> {
    // A kill at the armed failpoint disarms it, too: the restarted server has none.
    if (failpoint === null) await this.request({ type: 'arm', failpoint, visit });
    else await (await this.currentServer).request({ type: 'arm', failpoint, visit });
  }

  async visits(): Promise<Partial<Record<Failpoint, number>>> {
    return (await this.currentServer).request({ type: 'visits' });
  }

  /**
   * Sends a request to the server. If the server exits before it responds, sends the request again to the restarted
   * server.
   */
  async request<T>(request: ControlRequest): Promise<T> {
    for (;;) {
      const child = await this.currentServer;
      try {
        return await child.request<T>(request);
      } catch (error) {
        if (!(error instanceof ServerExitedError)) throw error;
        await child.ended;
      }
    }
  }

  /**
   * Returns a client that, if its connection breaks, waits for the restart and retries with the same idempotency key.
   */
  async client(role: Role, subject: string): Promise<Client> {
    const { dataDirectory } = this.options;
    const { token } = await mintDevToken({ dataDirectory, subject, role });
    await this.currentServer;
    return createClient({ baseUrl: this.url, token, retries: 3, retryDelayMs: 1, fetch: this.patientFetch });
  }

  private readonly patientFetch: FetchLike = async (url, init) => {
    const child = await this.currentServer;
    try {
      const response = await fetch(url, init);
      // Reads the whole body, so that an incomplete response counts as none.
      const body = await response.arrayBuffer();
      return new Response(body, response);
    } catch (error) {
      await child.ended;
      await this.currentServer;
      throw error;
    }
  };

  async stop(): Promise<void> {
    if (this.isStopping) return;
    this.isStopping = true;
    const child = await this.currentServer;
    await child.stop();
  }

  private launch(): ServerChild {
    const { dataDirectory, connectionString, effects, configuration: extraConfiguration, main } = this.options;
    const configuration: JsonObject = {
      Server: { Port: this.port },
      Data: { Directory: dataDirectory },
      Auth: { DevToken: { Enabled: true } },
      Limits: { RequestsPerMinute: 1_000_000 },
      ...(connectionString === undefined ? {} : { Storage: { Postgres: { ConnectionString: connectionString } } }),
      ...extraConfiguration,
    };
    const child = new ServerChild({ configuration, effects, options: IMPATIENT_OPTIONS }, {}, main);
    void child.ended.then(async (signal) => {
      if (this.isStopping) return;
      if (signal === 'SIGKILL') this.kills += 1;
      this.currentServer = this.restart();
      this.currentServer.catch(() => undefined);
    });
    return child;
  }

  private async restart(): Promise<ServerChild> {
    if (this.port === 0) this.port = await findFreePort();
    const child = this.launch();
    await child.ready;
    return child;
  }
}
