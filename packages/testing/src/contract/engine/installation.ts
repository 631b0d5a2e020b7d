import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '@countersign/embedded-postgres';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import type { TestHostOptions } from '../../host/create-test-host.js';
import type { CreateTestEngine, TestEngine } from '../../host/test-engine.js';
import { DEFAULT_JOB_TYPES } from './describe-part.js';
import { EngineHost } from './engine-host.js';

/** A database without a server. Any number of hosts can be started on it, also one after the other. */
export class Installation {
  readonly #hosts = new Set<EngineHost>();

  private constructor(
    private readonly engine: TestEngine,
    private readonly database: TestDatabase,
    private readonly dataDirectory: string,
  ) {}

  static async create(create: CreateTestEngine): Promise<Installation> {
    const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-engine-'));
    return new Installation(await create(), await createMigratedTestDatabase(), dataDirectory);
  }

  /** Starts a host, which `dispose` stops if it is still running. */
  async start(options: Pick<TestHostOptions, 'jobTypes' | 'plugins'> = {}): Promise<EngineHost> {
    const { engine, database, dataDirectory } = this;
    const host = await EngineHost.start({
      jobTypes: DEFAULT_JOB_TYPES,
      ...options,
      engine,
      shareDataWith: { database, dataDirectory },
    });
    this.#hosts.add(host);
    return host;
  }

  /** Stops a host, and leaves its open jobs to later hosts. */
  async stop(host: EngineHost): Promise<void> {
    this.#hosts.delete(host);
    try {
      // Without time for open jobs to finish. The stop of the host then finds none.
      await host.engine.stop(0);
    } finally {
      await host.host.close();
    }
  }

  /**
   * Stops all hosts, and removes the database and the directory.
   *
   * @throws {AggregateError} if a part of this failed; the other parts are executed anyway
   */
  async dispose(): Promise<void> {
    const failures: unknown[] = [];
    for (const dispose of [
      ...[...this.#hosts].map((host) => () => this.stop(host)),
      () => this.database.drop(),
      () => rm(this.dataDirectory, { recursive: true, force: true }),
    ])
      await dispose().catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0)
      throw new AggregateError(failures, `The installation was not removed completely: ${failures.join('; ')}`);
  }
}
