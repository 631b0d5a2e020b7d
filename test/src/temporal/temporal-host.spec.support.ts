import type { Client, RunDetail } from '@countersign/contract';
import { StoragePort } from '@countersign/core';
import {
  createTestHost,
  processModel,
  serviceTask,
  type TestHost,
  type TestHostOptions,
  waitUntil,
} from '@countersign/testing';
import { temporalEngine, type TemporalServer } from './temporal-server.spec.support.js';

/** Starts a host with the Temporal engine. */
export async function createTemporalHost(server: TemporalServer, options: TestHostOptions = {}): Promise<TestHost> {
  if (temporalEngine === undefined) throw new Error('The dependencies of the Temporal engine are not installed.');
  return createTestHost({
    jobTypes: ['work'],
    ...options,
    engine: temporalEngine,
    configuration: { ...server.configuration, ...options.configuration },
  });
}

/** A job, an approval, and a job. */
export const PUBLISH = processModel(
  'publish',
  `<bpmn:startEvent id="start" />${serviceTask('draft', 'work')}<bpmn:userTask id="approve" />${serviceTask('send', 'work')}<bpmn:endEvent id="end" />`,
  'start > draft',
  'draft > approve',
  'approve > send',
  'send > end',
);

/** Two jobs, one after the other. */
export const TWO_JOBS = processModel(
  'two-jobs',
  `<bpmn:startEvent id="start" />${serviceTask('one', 'work')}${serviceTask('two', 'work')}<bpmn:endEvent id="end" />`,
  'start > one',
  'one > two',
  'two > end',
);

/** Creates a model with parallel jobs. */
export function createParallelModel(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `work-${index}`);
  return processModel(
    'parallel',
    `<bpmn:startEvent id="start" /><bpmn:parallelGateway id="fork" />${names.map((name) => serviceTask(name, 'work')).join('')}<bpmn:parallelGateway id="join" /><bpmn:endEvent id="end" />`,
    'start > fork',
    ...names.flatMap((name) => [`fork > ${name}`, `${name} > join`]),
    'join > end',
  );
}

/** A job of a type that only some servers execute. */
export const RARE_WORK = processModel(
  'rare-work',
  `<bpmn:startEvent id="start" />${serviceTask('work', 'rare')}<bpmn:endEvent id="end" />`,
  'start > work',
  'work > end',
);

export function createTimerModel(id: string, duration: string): string {
  return processModel(
    id,
    `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${serviceTask('work', 'work', 3)}<bpmn:endEvent id="end" />`,
    'start > pause',
    'pause > work',
    'work > end',
  );
}

/** @param limit the time limit in seconds */
export function waitForEnd(client: Client, runId: string, limit?: number): Promise<RunDetail> {
  return waitUntil(
    'the run ends',
    async () => {
      const run = await client.getRun({ runId });
      return run.outcome !== null && run;
    },
    limit,
  );
}

/** Waits until the cluster has accepted all announcements. */
export async function waitUntilAnnounced({ host }: TestHost): Promise<void> {
  const storage = host.get(StoragePort);
  await waitUntil(
    'all announcements are accepted',
    async () => (await storage.countAnnouncements('temporal')).count === 0,
  );
}
