import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '@countersign/core';
import { type CpuClock } from '../measure/meter.js';
import { readProcessCpuTime } from '../measure/process-times.js';
import { withTimeout } from '../measure/with-timeout.js';
import type { ClientConnection, InstalledTemporal } from './temporal-sdk.js';

export const NAMESPACE = 'bench';

const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;
/** Databases of the server. */
export const DATABASES = { default: 'temporal', visibility: 'temporal_visibility' } as const;
const PLUGIN = 'postgres12_pgx';
const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;
const RETENTION_SECONDS = 86_400;

/** One Temporal server with all its services, whose data is in the PostgreSQL of the benchmark. */
export class TemporalServer {
  private child: ChildProcess | undefined;
  /** CPU time of the processes that have ended, in ms. */
  private endedCpuMs = 0;

  private constructor(
    private readonly temporal: InstalledTemporal,
    private readonly directory: string,
    private readonly ports: readonly number[],
  ) {}

  /** @param connectionString of a database of the PostgreSQL server */
  static async start(temporal: InstalledTemporal, connectionString: string): Promise<TemporalServer> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-temporal-'));
    const server = new TemporalServer(temporal, directory, await findFreePorts(SERVICES.length * 2));
    try {
      await createSchemas(temporal.server, new URL(connectionString));
      await writeFile(join(directory, 'server.yaml'), server.createConfiguration(new URL(connectionString)));
      // Otherwise, a new namespace cannot be used for some seconds.
      const isRefreshed = { 'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }] };
      await writeFile(join(directory, 'dynamic.yaml'), JSON.stringify(isRefreshed));
      await server.ensureRunning();
      await server.createNamespace();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  get address(): string {
    return `127.0.0.1:${this.ports[0]}`;
  }

  /** Configuration of a host that uses this server. */
  get configuration(): JsonObject {
    return { Engine: { Adapter: 'temporal', Temporal: { Address: this.address, Namespace: NAMESPACE } } };
  }

  /** CPU time of the server so far, in ms. */
  readonly readCpuTime: CpuClock = () => {
    const own = this.child?.pid === undefined ? undefined : readProcessCpuTime(this.child.pid);
    return own === undefined ? undefined : this.endedCpuMs + own;
  };

  /** Starts the process, unless it is running. */
  async ensureRunning(): Promise<void> {
    if (this.child !== undefined) return;
    const logFile = join(this.directory, 'server.log');
    const log = openSync(logFile, 'a');
    const child = spawn(
      join(this.temporal.server, 'server'),
      ['--config-file', join(this.directory, 'server.yaml'), '--allow-no-auth', 'start'],
      { stdio: ['ignore', log, log] },
    );
    closeSync(log);
    this.child = child;
    const ended = once(child, 'exit').then(async () => {
      // After a kill, it is meant to end.
      if (this.child === child) throw new Error(`The Temporal server has ended: ${await readFile(logFile, 'utf8')}`);
    });
    await Promise.race([ended, waitFor('respond to requests', () => this.withConnection(async () => undefined))]);
  }

  /** Waits until no workflow of a run is left, so that a phase includes the work after the ends of its runs. */
  async waitUntilIdle(): Promise<void> {
    const { Client } = this.temporal.sdk.client;
    await this.withConnection(async (connection) => {
      const { workflow } = new Client({ connection, namespace: NAMESPACE });
      const query = `WorkflowType IN ('bareApproval', 'countersignRun') AND ExecutionStatus = 'Running'`;
      const isIdle = async (): Promise<void> => {
        while ((await workflow.count(query)).count > 0) await pause();
      };
      await withTimeout(TIMEOUT_MS, 'Workflows remain although their runs are completed.', isIdle());
    });
  }

  /** Kills the process. Its data remains. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.endedCpuMs = this.readCpuTime() ?? this.endedCpuMs;
    this.child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  private async createNamespace(): Promise<void> {
    await this.withConnection(({ workflowService }) =>
      workflowService.registerNamespace({
        namespace: NAMESPACE,
        workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS },
      }),
    );
    await waitFor('make the namespace usable', () =>
      this.withConnection(({ workflowService }) =>
        workflowService.countWorkflowExecutions({ namespace: NAMESPACE, query: '' }),
      ),
    );
  }

  private async withConnection(work: (connection: ClientConnection) => Promise<unknown>): Promise<void> {
    const connection = await this.temporal.sdk.client.Connection.connect({ address: this.address });
    try {
      await work(connection);
    } finally {
      await connection.close();
    }
  }

  /** Returns the configuration of the server. JSON is also YAML. */
  private createConfiguration(postgres: URL): string {
    const createStore = (databaseName: string, maxConns: number) => ({
      sql: {
        pluginName: PLUGIN,
        databaseName,
        connectAddr: postgres.host,
        connectProtocol: 'tcp',
        user: decodeURIComponent(postgres.username),
        password: decodeURIComponent(postgres.password),
        maxConns,
        maxIdleConns: maxConns,
        maxConnLifetime: '1h',
      },
    });
    return JSON.stringify({
      log: { stdout: true, level: 'warn' },
      persistence: {
        numHistoryShards: 4,
        defaultStore: 'default',
        visibilityStore: 'visibility',
        datastores: {
          default: createStore(DATABASES.default, 20),
          visibility: createStore(DATABASES.visibility, 10),
        },
      },
      global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
      services: Object.fromEntries(
        SERVICES.map((name, index) => [
          name,
          {
            rpc: {
              grpcPort: this.ports[index * 2],
              membershipPort: this.ports[index * 2 + 1],
              bindOnIP: '127.0.0.1',
            },
          },
        ]),
      ),
      clusterMetadata: {
        enableGlobalNamespace: false,
        failoverVersionIncrement: 10,
        masterClusterName: 'active',
        currentClusterName: 'active',
        clusterInformation: {
          active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: this.address },
        },
      },
      dcRedirectionPolicy: { policy: 'noop' },
      dynamicConfigClient: { filepath: join(this.directory, 'dynamic.yaml'), pollInterval: '10s' },
    });
  }
}

/** Creates the databases of Temporal with its own tool, as operators do. */
async function createSchemas(directory: string, postgres: URL): Promise<void> {
  const { hostname, port, username, password } = postgres;
  const runTool = (database: string, ...args: readonly string[]) =>
    promisify(execFile)(
      join(directory, 'sql'),
      ['--plugin', PLUGIN, '--ep', hostname, '-p', port, '-u', decodeURIComponent(username), '--db', database, ...args],
      { env: { ...process.env, SQL_PASSWORD: decodeURIComponent(password) } },
    );
  for (const [store, database] of Object.entries(DATABASES)) {
    await runTool(database, 'create-database');
    await runTool(database, 'setup-schema', '-v', '0.0');
    const schema = store === 'default' ? 'temporal' : 'visibility';
    await runTool(database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** Temporal stores the ports of its services in a column of PostgreSQL that ends at this value. */
const MAX_PORT = 32_767;
const MIN_PORT = 20_000;

async function findFreePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = randomInt(MIN_PORT, MAX_PORT - 1_000); ports.length < count && port <= MAX_PORT; port += 1)
    if (await isFree(port)) ports.push(port);
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Repeats an action until it succeeds. */
async function waitFor(description: string, action: () => Promise<unknown>): Promise<void> {
  let lastError: unknown;
  const repeat = async (): Promise<void> => {
    for (;;) {
      try {
        await action();
        return;
      } catch (error) {
        lastError = error;
        await pause();
      }
    }
  };
  await withTimeout(TIMEOUT_MS, 'timeout', repeat()).catch(() => {
    throw new Error(`The Temporal server does not ${description}.`, { cause: lastError });
  });
}
