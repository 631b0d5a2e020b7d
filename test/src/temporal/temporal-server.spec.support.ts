import type { JsonObject, Plugin } from '@countersign/core';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Suite } from 'mocha';
import { loadTemporalEngine } from './load-temporal-engine.js';
import { findTemporal, TemporalNode } from './temporal-node.spec.support.js';
import { TestTemporal } from './test-temporal.spec.support.js';

/** Environment variable with the address of the Temporal server that all test hosts use. */
export const TEST_TEMPORAL_VARIABLE = 'COUNTERSIGN_TEST_TEMPORAL';

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

/** One Temporal server with all its services, on free ports. Its data survives when the process is killed. */
export class TemporalServer extends TestTemporal {
  private constructor(
    private readonly directory: string,
    private readonly node: TemporalNode,
  ) {
    super([node]);
  }

  /** @param limits limits of the server, by their names in its dynamic configuration */
  static async start(limits: Readonly<Record<string, number>> = {}): Promise<TemporalServer> {
    const directory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-temporal-'));
    const stores = { default: createStore(directory, 'default'), visibility: createStore(directory, 'visibility') };
    const server = new TemporalServer(
      directory,
      await TemporalNode.create({ directory, shardCount: 1, stores, limits }),
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

  override get address(): string {
    return this.node.address;
  }

  /** Starts the process, unless it is running. */
  ensureRunning(): Promise<void> {
    return this.node.ensureRunning();
  }

  kill(): Promise<void> {
    return this.node.kill();
  }

  /** Kills the process and starts a new one without the data. */
  async loseData(): Promise<void> {
    await this.kill();
    const files = await readdir(this.directory);
    await Promise.all(files.filter((name) => name.includes('.db')).map((name) => rm(join(this.directory, name))));
    await this.ensureRunning();
    await this.createNamespace();
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Returns the settings of a database in a file. */
function createStore(directory: string, name: string): JsonObject {
  return {
    pluginName: 'sqlite',
    databaseName: join(directory, `${name}.db`),
    connectAddr: 'localhost',
    connectProtocol: 'tcp',
    connectAttributes: { mode: 'rwc', cache: 'private', setup: 'true', journal_mode: 'wal', synchronous: '2' },
    maxConns: 1,
    maxIdleConns: 1,
  };
}
