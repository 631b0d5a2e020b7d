import type { JsonObject } from '@countersign/core';
import { startTestPostgres, type TestPostgres } from '@countersign/testing';
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { TcpLoadBalancer } from './tcp-load-balancer.spec.support.js';
import { findTemporal, TemporalNode } from './temporal-node.spec.support.js';
import { TestTemporal } from './test-temporal.spec.support.js';

const NODE_COUNT = 3;
/** Number of shards of the workflows, which the history services share among themselves. */
export const SHARD_COUNT = 8;
/** Nodes that change the metadata of the cluster concurrently exit, except for one. */
const MAX_START_ATTEMPTS = 3;
/** Each service of each node has its own connections. Together, they must not use up those of the PostgreSQL. */
const MAX_CONNECTIONS = 4;
const MAX_VISIBILITY_CONNECTIONS = 2;

/** Databases, and the folders of their schemas in the SQL tool of Temporal. */
const DATABASES = Object.freeze({ temporal: 'temporal', temporal_visibility: 'visibility' });

/**
 * Three nodes with all services on one PostgreSQL, and a load balancer in front of them. Any of the nodes can be killed
 * and started again.
 */
export class TemporalCluster extends TestTemporal {
  private constructor(
    private readonly directory: string,
    private readonly postgres: TestPostgres,
    override readonly nodes: readonly TemporalNode[],
    private readonly loadBalancer: TcpLoadBalancer,
  ) {
    super(nodes);
  }

  static async start(): Promise<TemporalCluster> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-temporal-'));
    const postgres = await startTestPostgres();
    const nodes = await createNodes(directory, postgres);
    const loadBalancer = await TcpLoadBalancer.start(nodes.map(({ address }) => address));
    const cluster = new TemporalCluster(directory, postgres, nodes, loadBalancer);
    try {
      await createSchemas(postgres);
      await cluster.ensureRunning();
      await cluster.createNamespace();
    } catch (error) {
      await cluster.close();
      throw error;
    }
    return cluster;
  }

  override get address(): string {
    return this.loadBalancer.address;
  }

  /** Starts the nodes that are not running, one after the other. */
  async ensureRunning(): Promise<void> {
    for (const node of this.nodes) await startNode(node);
  }

  /** Returns the shard of the workflow of a run. */
  async findShard(runId: string): Promise<number> {
    const client = new pg.Client({ connectionString: getConnectionString(this.postgres, 'temporal') });
    await client.connect();
    try {
      const { rows } = await client.query<{ shard_id: number }>(
        'SELECT shard_id FROM current_executions WHERE workflow_id = $1',
        [`countersign:run:${runId}`],
      );
      if (rows[0] === undefined) throw new Error(`The cluster has no workflow of the run ${runId}.`);
      return rows[0].shard_id;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    this.loadBalancer.close();
    await Promise.all(this.nodes.map((node) => node.kill()));
    await this.postgres.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function createNodes(directory: string, postgres: TestPostgres): Promise<TemporalNode[]> {
  const stores = {
    default: createStore(postgres, 'temporal', MAX_CONNECTIONS),
    visibility: createStore(postgres, 'temporal_visibility', MAX_VISIBILITY_CONNECTIONS),
  };
  const nodes: TemporalNode[] = [];
  for (let index = 0; index < NODE_COUNT; index += 1) {
    const [firstNode] = nodes;
    nodes.push(
      await TemporalNode.create({
        directory: join(directory, `node-${index}`),
        shardCount: SHARD_COUNT,
        stores,
        ...(firstNode === undefined ? {} : { frontendOfCluster: firstNode.address }),
      }),
    );
  }
  return nodes;
}

async function startNode(node: TemporalNode): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await node.ensureRunning();
    } catch (error) {
      if (attempt === MAX_START_ATTEMPTS) throw error;
    }
  }
}

/** Creates the databases and their tables. */
async function createSchemas(postgres: TestPostgres): Promise<void> {
  const { hostname, port, username, password } = new URL(postgres.connectionString);
  const tool = join(findTemporal() ?? '', 'sql');
  for (const [database, schema] of Object.entries(DATABASES)) {
    const run = (...args: string[]) =>
      promisify(execFile)(tool, ['--plugin', 'postgres12_pgx', '--db', database, ...args], {
        env: { ...process.env, SQL_HOST: hostname, SQL_PORT: port, SQL_USER: username, SQL_PASSWORD: password },
      });
    await run('create-database');
    await run('setup-schema', '-v', '0.0');
    await run('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  }
}

/** Returns the settings of a database. */
function createStore({ connectionString }: TestPostgres, databaseName: string, maxConns: number): JsonObject {
  const { host, username, password } = new URL(connectionString);
  return {
    pluginName: 'postgres12_pgx',
    databaseName,
    connectAddr: host,
    connectProtocol: 'tcp',
    user: username,
    password: decodeURIComponent(password),
    maxConns,
    maxIdleConns: maxConns,
    maxConnLifetime: '1h',
  };
}

function getConnectionString({ connectionString }: TestPostgres, database: keyof typeof DATABASES): string {
  const url = new URL(connectionString);
  url.pathname = `/${database}`;
  return url.href;
}
