import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@countersign/contract';
import { definePlugin } from '@countersign/core';
import { JobHandlerContribution } from '@countersign/core/plugin';
import { EnginePort, StoragePort } from '@countersign/core/ports';
import { createMigratedTestDatabase } from '@countersign/storage-postgres';
import { createTestHost } from '@countersign/testing';
import { type CaseEngine, type CountedTimers, EMBEDDED_CASE_ENGINE } from './case-engine.js';
import { HeldJobs } from './held-jobs.js';
import { IdleDetector } from './idle-detector.js';
import { TestClock } from './test-clock.js';

/** Countersign with a separate database, a manually set clock, and jobs that are held for the case. */
export interface CaseServer {
  readonly clients: Readonly<Record<'admin' | 'operator' | 'approver', Client>>;
  readonly engine: EnginePort;
  readonly storage: StoragePort;
  readonly clock: TestClock;
  readonly jobs: HeldJobs;
  readonly idleDetector: IdleDetector;
  /**
   * Returns when the next timer is due, once the server is idle.
   *
   * @throws {Error} if the engine has executed an attempt of a job again
   */
  readonly waitUntilIdle: () => Promise<number | null>;
  readonly close: () => Promise<void>;
}

export interface CaseServerOptions {
  /** Type of the held jobs. */
  readonly jobType: string;
  readonly timers: CountedTimers;
  readonly engine?: CaseEngine | undefined;
}

/** Starts a server for cases. */
export async function startCaseServer({
  jobType,
  timers,
  engine: caseEngine = EMBEDDED_CASE_ENGINE,
}: CaseServerOptions): Promise<CaseServer> {
  const clock = new TestClock();
  const jobs = new HeldJobs(jobType);
  const plugin = definePlugin({
    id: 'held-jobs',
    register: ({ contribute }) => contribute(JobHandlerContribution, jobs.createHandlerClass()),
  });
  const database = await createMigratedTestDatabase();
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-case-'));
  const removeAll = async (): Promise<void> => {
    await database.drop();
    await rm(dataDirectory, { recursive: true, force: true });
  };
  try {
    const { options, createProbe } = caseEngine.prepareHost();
    const { host, client, close } = await createTestHost({
      ...options,
      clock,
      plugins: [plugin],
      shareDataWith: { database, dataDirectory },
    });
    const [admin, operator, approver] = await Promise.all([client('admin'), client('operator'), client('approver')]);
    const storage = host.get<StoragePort>(StoragePort);
    const probe = createProbe({ host, clock, jobs, timers });
    const idleDetector = new IdleDetector(storage, probe, clock);
    jobs.onChange(() => idleDetector.notify());
    return {
      clients: { admin, operator, approver },
      engine: host.get<EnginePort>(EnginePort),
      storage,
      clock,
      jobs,
      idleDetector,
      waitUntilIdle: async () => {
        const nextTimerAt = await idleDetector.waitUntilIdle();
        const repeated = jobs.takeRepeatedAttempts();
        if (repeated.length > 0) throw new Error(`The engine has executed again: ${repeated.join('; ')}.`);
        return nextTimerAt;
      },
      close: async () => {
        jobs.refuseAll();
        await close();
        await removeAll();
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}
