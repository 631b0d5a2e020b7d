import type { JsonObject } from '@countersign/core';
import { waitUntil } from '@countersign/testing';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../free-port.spec.support.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/temporal-for-tests.mjs', import.meta.url));
const SERVICES = ['frontend', 'history', 'matching', 'worker'] as const;

type Service = (typeof SERVICES)[number];

export interface TemporalNodeOptions {
  /** Directory of its configuration and its log. */
  readonly directory: string;
  readonly shardCount: number;
  /** Settings of the databases, as in the configuration of the server. */
  readonly stores: { readonly default: JsonObject; readonly visibility: JsonObject };
  /** Limits of the server, by their names in its dynamic configuration. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Frontend that all nodes of a cluster name in their configuration; by default that of this node. */
  readonly frontendOfCluster?: string;
}

/** Thrown if the Temporal server knows no such workflow. */
export class NotFoundError extends Error {}

/** Returns the directory of the programs of Temporal; `undefined` if they were not built. */
export function findTemporal(): string | undefined {
  try {
    return execFileSync(process.execPath, [SCRIPT], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** A process with all services of Temporal. It keeps its ports when it is killed and started again. */
export class TemporalNode {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    private readonly httpPort: number,
    private readonly ports: Readonly<Record<Service, number>>,
  ) {}

  /** Creates a node, without starting it. */
  static async create(options: TemporalNodeOptions): Promise<TemporalNode> {
    const { directory, limits = {} } = options;
    const rpc = {} as Record<Service, { grpcPort: number; membershipPort: number; bindOnIP: string }>;
    for (const service of SERVICES)
      rpc[service] = {
        grpcPort: await findFreePort(),
        membershipPort: await findFreePort(),
        bindOnIP: '127.0.0.1',
      };
    const httpPort = await findFreePort();
    await mkdir(directory, { recursive: true });
    const services = Object.fromEntries(
      SERVICES.map((name) => [name, { rpc: { ...rpc[name], ...(name === 'frontend' ? { httpPort } : {}) } }]),
    );
    const rpcAddress = options.frontendOfCluster ?? `127.0.0.1:${rpc.frontend.grpcPort}`;
    await writeFile(join(directory, 'server.yaml'), createConfiguration(options, services, rpcAddress));
    await writeFile(
      join(directory, 'dynamic.yaml'),
      JSON.stringify({
        'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }],
        ...Object.fromEntries(Object.entries(limits).map(([name, value]) => [name, [{ value }]])),
      }),
    );
    const ports = Object.fromEntries(SERVICES.map((name) => [name, rpc[name].grpcPort])) as Record<Service, number>;
    return new TemporalNode(directory, httpPort, ports);
  }

  /** Host and port of the frontend. */
  get address(): string {
    return this.getAddress('frontend');
  }

  /** Returns the address with which a service of this node is a member of the cluster. */
  getAddress(service: Service): string {
    return `127.0.0.1:${this.ports[service]}`;
  }

  get isRunning(): boolean {
    return this.child !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  /**
   * Starts the process, unless it is running.
   *
   * @throws {Error} if the process ends
   */
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

  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || !this.isRunning) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  responds(path: string): Promise<boolean> {
    return this.request(path).then(
      () => true,
      () => false,
    );
  }

  /** Sends a request to the HTTP API of the frontend. */
  async request(path: string, body?: JsonObject, accept = 'application/json'): Promise<unknown> {
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

/** Returns the configuration of a node. JSON is also YAML. */
function createConfiguration(
  { directory, shardCount, stores }: TemporalNodeOptions,
  services: JsonObject,
  rpcAddress: string,
): string {
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      numHistoryShards: shardCount,
      defaultStore: 'default',
      visibilityStore: 'visibility',
      datastores: { default: { sql: stores.default }, visibility: { sql: stores.visibility } },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(directory, 'dynamic.yaml'), pollInterval: '10s' },
  });
}
