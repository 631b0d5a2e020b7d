import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@countersign/contract';
import { definePlugin } from '@countersign/core';
import { JobHandlerContribution } from '@countersign/core/plugin';
import { EnginePort, StoragePort } from '@countersign/core/ports';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { createTestHost } from '@countersign/testing';
import { IdleDetector } from '../conformance/idle-detector.js';
import { TestClock } from '../conformance/test-clock.js';
import { HeldJobs } from './held-jobs.js';

/**
 * Countersign with its embedded engine, a separate database, a manually set clock, and jobs that are held for the case.
 */
export class OurHost {
  private readonly forgottenRunIds = new Set<string>();

  private constructor(
    readonly clients: Readonly<Record<'admin' | 'operator' | 'approver', Client>>,
    readonly engine: EnginePort,
    readonly clock: TestClock,
    readonly jobs: HeldJobs,
    readonly idleDetector: IdleDetector,
    readonly close: () => Promise<void>,
  ) {}

  /** @param timers timers that can advance the clock; `timers of runs` excludes timers that start runs */
  static async start(timers: 'all timers' | 'timers of runs' = 'all timers'): Promise<OurHost> {
    const clock = new TestClock();
    const jobs = new HeldJobs();
    const plugin = definePlugin({
      id: 'held-jobs',
      register: ({ contribute }) => contribute(JobHandlerContribution, jobs.createHandlerClass()),
    });
    const database = await createMigratedTestDatabase();
    const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-differential-'));
    const removeAll = async (): Promise<void> => {
      await database.drop();
      await rm(dataDirectory, { recursive: true, force: true });
    };
    try {
      const { host, client, close } = await createTestHost({
        clock,
        plugins: [plugin],
        shareDataWith: { database, dataDirectory },
      });
      const [admin, operator, approver] = await Promise.all([client('admin'), client('operator'), client('approver')]);
      const engine = host.get<EnginePort>(EnginePort);
      const isWorking = async (): Promise<boolean> =>
        (await engine.status()).workers.reduce((sum, { active }) => sum + active, 0) > jobs.count;
      const idleDetector = new IdleDetector(
        host.get<StoragePort>(StoragePort),
        isWorking,
        clock,
        timers === 'all timers',
      );
      return new OurHost({ admin, operator, approver }, engine, clock, jobs, idleDetector, async () => {
        jobs.abandonAll();
        await close();
        await removeAll();
      });
    } catch (error) {
      await removeAll();
      throw error;
    }
  }

  /** Excludes the runs of a finished case from the results of later cases. */
  forget(runIds: readonly string[]): void {
    for (const runId of runIds) this.forgottenRunIds.add(runId);
  }

  isForgotten(runId: string): boolean {
    return this.forgottenRunIds.has(runId);
  }
}
