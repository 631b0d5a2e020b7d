import type { JsonObject, Plugin } from '@countersign/core';
import { waitUntil } from '@countersign/testing';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Suite } from 'mocha';
import { findFreePort } from '../free-port.spec.support.js';
import { loadTemporalEngine } from './load-temporal-engine.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/temporal-for-tests.mjs', import.meta.url));
/** Environment variable with the address of the Temporal server that all test hosts use. */
export const TEST_TEMPORAL_VARIABLE = 'COUNTERSIGN_TEST_TEMPORAL';

/** Namespace that every Temporal server of the tests has. */
const TEST_NAMESPACE = 'countersign-tests';
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

/** Plugin of the Temporal engine; `undefined` if its dependencies are not installed. */
export const temporalEngine: Plugin | undefined = await loadTemporalEngine();

/** Why specs with a Temporal server cannot run here; `undefined` if they can. */
export const obstacle =
  temporalEngine === undefined
    ? 'run npm run install:temporal'
    : findTemporal() === undefined
      ? 'run node scripts/temporal-for-tests.mjs --build, which needs Go'
      : undefined;

/** Describes specs with a Temporal server. They are skipped if it, or the plugin of its engine, was not built. */
export function describeOnTemporal(title: string, defineSpecs: (this: Suite) => void): void {
  if (obstacle === undefined) describe(`${title} on Temporal`, defineSpecs);
  else describe.skip(`${title} on Temporal (skipped: ${obstacle})`, defineSpecs);
}

/** Thrown if the Temporal server knows no such workflow. */
class NotFoundError extends Error {}

/**
 * Returns the configuration with which a server uses a cluster of the tests.
 *
 * @param keys further keys of `Engine:Temporal`
 */
export function configureTemporal(address: string, keys: JsonObject): JsonObject {
  return { Engine: { Adapter: 'temporal', Temporal: { Address: address, Namespace: TEST_NAMESPACE, ...keys } } };
}

/** One Temporal server with all its services, on free ports. Its data survives when the process is killed. */
export class TemporalServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    private readonly port: number,
    private readonly httpPort: number,
  ) {}

  /** @param limits limits of the server, by their names in its dynamic configuration */
  static async start(limits: Readonly<Record<string, number>> = {}): Promise<TemporalServer> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-temporal-'));
    const ports: number[] = [];
    for (let index = 0; index <= SERVICES.length * 2; index += 1) ports.push(await findFreePort());
    const [httpPort = 0, ...servicePorts] = ports;
    const server = new TemporalServer(directory, servicePorts[0] ?? 0, httpPort);
    await writeFile(join(directory, 'server.yaml'), createConfiguration(directory, httpPort, servicePorts));
    await writeFile(
      join(directory, 'dynamic.yaml'),
      JSON.stringify({
        'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }],
        ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, [{ value }]])),
      }),
    );
    try {
      await server.ensureRunning();
      await server.createNamespace();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  /** The configuration with which a server uses this cluster. */
  get configuration(): JsonObject {
    return this.configure({});
  }

  /**
   * Returns a configuration with which a server uses this cluster.
   *
   * @param keys further keys of `Engine:Temporal`
   */
  configure(keys: JsonObject): JsonObject {
    return configureTemporal(this.address, keys);
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get namespace(): string {
    return TEST_NAMESPACE;
  }

  /** Starts the process, unless it is running. */
  async ensureRunning(): Promise<void> {
    if (this.isRunning) return;
    const logFile = join(this.directory, 'server.log');
    const log = openSync(logFile, 'a');
    const child = spawn(
      join(findTemporal() ?? '', 'server'),
      ['--config-file', join(this.directory, 'server.yaml'), '--allow-no-auth', 'start'],
      { stdio: ['ignore', log, log] },
    );
    closeSync(log);
    this.child = child;
    await waitUntil('the Temporal server responds', async () => {
      if (child.exitCode !== null) throw new Error(`The Temporal server ended: ${await readFile(logFile, 'utf8')}`);
      return this.responds('system-info');
    });
  }

  private async createNamespace(): Promise<void> {
    await this.request('namespaces', { namespace: TEST_NAMESPACE, workflowExecutionRetentionPeriod: '86400s' });
    await waitUntil('the namespace is usable', () => this.responds(`namespaces/${TEST_NAMESPACE}/workflow-count`));
  }

  /** Kills the process and starts a new one without the data. */
  async loseData(): Promise<void> {
    await this.kill();
    const files = await readdir(this.directory);
    await Promise.all(files.filter((name) => name.includes('.db')).map((name) => rm(join(this.directory, name))));
    await this.ensureRunning();
    await this.createNamespace();
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || !this.isRunning) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  private get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Terminates the workflow of a run, as an operator may. */
  async terminateWorkflow(runId: string): Promise<void> {
    await this.request(`namespaces/${TEST_NAMESPACE}/workflows/${getWorkflowId(runId)}/terminate`, {
      reason: 'a test',
    });
  }

  /** Starts the workflow of a run, as another version of a server may have done. */
  async startWorkflow(runId: string): Promise<void> {
    await this.request(`namespaces/${TEST_NAMESPACE}/workflows/${getWorkflowId(runId)}`, {
      workflowType: { name: 'countersignRun' },
      taskQueue: { name: 'countersign' },
      workflowTaskTimeout: '3s',
      input: [{ runId, prefix: 'countersign', known: null }],
    });
  }

  /**
   * Sends a signal to a workflow.
   *
   * @returns `false` if no such workflow is running
   */
  async signalWorkflow(workflowId: string, signal: string, input: readonly JsonObject[]): Promise<boolean> {
    try {
      const path = `namespaces/${TEST_NAMESPACE}/workflows/${encodeURIComponent(workflowId)}/signal/${signal}`;
      await this.request(path, { input: [...input] });
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  /** Returns everything that Temporal has recorded of a run, as text. */
  async readHistory(runId: string): Promise<string> {
    const history = await this.request(`namespaces/${TEST_NAMESPACE}/workflows/${getWorkflowId(runId)}/history`);
    return JSON.stringify(history).replaceAll(/"data":"([^"]*)"/g, (_match, data: string) =>
      Buffer.from(data, 'base64').toString('utf8'),
    );
  }

  /** Returns the history of a workflow in the format that the SDK can replay. */
  async exportHistory(workflowId: string): Promise<unknown> {
    const path = `namespaces/${TEST_NAMESPACE}/workflows/${encodeURIComponent(workflowId)}/history`;
    const { history } = (await this.request(path, undefined, 'application/json+no-payload-shorthand')) as {
      history: unknown;
    };
    return history;
  }

  private responds(path: string): Promise<boolean> {
    return this.request(path).then(
      () => true,
      () => false,
    );
  }

  /** Sends a request to the HTTP API of the server. */
  private async request(path: string, body?: JsonObject, accept = 'application/json'): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${this.httpPort}/api/v1/${path}`, {
      signal: AbortSignal.timeout(5_000),
      headers: { accept, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (response.status === 404) throw new NotFoundError(await response.text());
    if (!response.ok) throw new Error(`The Temporal server refused ${path}: ${await response.text()}`);
    return response.json();
  }
}

function getWorkflowId(runId: string): string {
  return encodeURIComponent(`countersign:run:${runId}`);
}

/** Returns the directory of the Temporal server; `undefined` if it was not built. */
function findTemporal(): string | undefined {
  try {
    return execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** Returns the configuration of a server that stores its data in two files. JSON is also YAML. */
function createConfiguration(directory: string, httpPort: number, ports: readonly number[]): string {
  const store = (name: string) => ({
    sql: {
      pluginName: 'sqlite',
      databaseName: join(directory, `${name}.db`),
      connectAddr: 'localhost',
      connectProtocol: 'tcp',
      connectAttributes: { mode: 'rwc', cache: 'private', setup: 'true', journal_mode: 'wal', synchronous: '2' },
      maxConns: 1,
      maxIdleConns: 1,
    },
  });
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: 1,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: store('default'), visibility: store('visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services: Object.fromEntries(
      SERVICES.map((name, index) => [
        name,
        {
          rpc: {
            grpcPort: ports[index * 2],
            membershipPort: ports[index * 2 + 1],
            bindOnIP: '127.0.0.1',
            ...(name === 'frontend' ? { httpPort } : {}),
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
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports[0]}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(directory, 'dynamic.yaml'), pollInterval: '10s' },
  });
}
