import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifactsFilesystemPlugin } from '@countersign/artifacts-filesystem';
import {
  createHost,
  definePlugin,
  EnginePort,
  JobHandlerContribution,
  WebhookContribution,
  type Job,
  type RequestContext,
} from '@countersign/core';
import { engineEmbeddedPlugin } from '@countersign/engine-embedded';
import { eventIngressPlugin } from '@countersign/event-ingress';
import { policyCedarPlugin } from '@countersign/policy-cedar';
import { storagePostgresPlugin } from '@countersign/storage-postgres';
import { benchLog } from './bench-log.js';
import { GATE_JOB_TYPE, GATE_MESSAGE, GATE_WORKFLOW, GATE_WORKFLOW_ID } from './gate-workflow.js';
import { runConcurrently } from './run-concurrently.js';
import { IN_FLIGHT } from './limits.js';

const SOURCE = 'bench';
const SECRET = 'a secret of the benchmark, which is long enough';
const CONTEXT: RequestContext = {
  actor: { type: 'user', id: 'starter', name: 'Starter', groups: [] },
  from: '127.0.0.1',
  traceId: null,
};

/** Host in this process, set up like that of the `countersign` command, with a workflow that waits for events. */
export interface IngressUnderTest {
  /** Delivers signed events that no run waits for. */
  deliver(events: number): Promise<void>;
  /**
   * Starts runs that wait for an event.
   *
   * @returns their correlation keys
   */
  startWaitingRuns(count: number): Promise<readonly string[]>;
  /**
   * Delivers an event to each waiting run.
   *
   * @returns the times in ms from an event to the start of the next job
   */
  resume(correlationKeys: readonly string[], concurrency?: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

export async function openIngress(connectionString: string): Promise<IngressUnderTest> {
  const dataDirectory = await mkdtemp(join(await realpath(tmpdir()), 'countersign-bench-ingress-'));
  const jobStartCallbacks = new Map<string, () => void>();
  const host = createHost({
    plugins: [
      storagePostgresPlugin,
      artifactsFilesystemPlugin,
      policyCedarPlugin,
      eventIngressPlugin,
      createGatePlugin((correlationKey) => jobStartCallbacks.get(correlationKey)?.()),
      engineEmbeddedPlugin,
    ],
    configuration: {
      defaults: {
        Data: { Directory: dataDirectory },
        Storage: { Postgres: { ConnectionString: connectionString } },
        Integrations: { EventIngress: { Enabled: true, Sources: [{ Id: SOURCE, Secret: SECRET }] } },
      },
    },
    logger: benchLog,
  });
  const engine = host.get(EnginePort);
  const webhook = host.getAll(WebhookContribution).find(({ path }) => path === '/webhooks/events');
  if (webhook === undefined) throw new Error('The event ingress does not serve /webhooks/events.');
  await host.start();
  await engine.deploy({ bpmnXml: GATE_WORKFLOW, context: CONTEXT });

  const deliver = async (correlationKey: string, isResumeExpected: boolean): Promise<void> => {
    const body = Buffer.from(JSON.stringify({ messageName: GATE_MESSAGE, correlationKey, payload: { build: 7 } }));
    const headers: Readonly<Record<string, string>> = {
      'x-service-source': SOURCE,
      'x-service-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      'x-service-delivery': randomUUID(),
    };
    const header = (name: string): string | undefined => headers[name.toLowerCase()];
    const response = await webhook.receive({
      body,
      header,
      hasHeader: (name) => header(name) !== undefined,
      isLocal: true,
      from: '127.0.0.1',
      traceId: 'bench',
    });
    if (response.body['resumed'] !== isResumeExpected)
      throw new Error(`Unexpected response to an event: ${JSON.stringify(response.body)}`);
  };

  return {
    deliver: (events) => runConcurrently(events, IN_FLIGHT, () => deliver(randomUUID(), false)),
    startWaitingRuns: async (count) => {
      const correlationKeys = Array.from({ length: count }, () => randomUUID());
      await runConcurrently(count, IN_FLIGHT, (index) =>
        engine.startRun({
          workflowId: GATE_WORKFLOW_ID,
          inputs: { key: correlationKeys[index] ?? '' },
          businessKey: null,
          context: CONTEXT,
          respond: () => ({}),
        }),
      );
      return correlationKeys;
    },
    resume: async (correlationKeys, concurrency = IN_FLIGHT) => {
      const times: number[] = [];
      await runConcurrently(correlationKeys.length, concurrency, async (index) => {
        const correlationKey = correlationKeys[index] ?? '';
        const startedAt = performance.now();
        const job = new Promise<void>((resolve) => jobStartCallbacks.set(correlationKey, resolve)).then(
          () => void times.push(performance.now() - startedAt),
        );
        await Promise.all([deliver(correlationKey, true), job]);
        jobStartCallbacks.delete(correlationKey);
      });
      return times;
    },
    close: async () => {
      await host.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Returns a plugin whose job handler reports the correlation key of each run that has resumed. */
function createGatePlugin(onJobStart: (correlationKey: string) => void) {
  class AfterGateHandler implements JobHandlerContribution {
    readonly jobType = GATE_JOB_TYPE;

    execute({ variables }: Job): Promise<Record<string, never>> {
      onJobStart(String(variables['key']));
      return Promise.resolve({});
    }
  }
  return definePlugin({
    id: 'bench-gate',
    register({ contribute }) {
      contribute(JobHandlerContribution, AfterGateHandler);
    },
  });
}
