import type { Client } from '@countersign/contract';
import { processModel, serviceTask, type TestHost, waitUntil } from '@countersign/testing';

const PAUSE_MS = 200;
const HEALTHY_MODEL = processModel(
  'healthy',
  `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT${PAUSE_MS / 1_000}S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${serviceTask('work', 'healthy')}<bpmn:endEvent id="end" />`,
  'start > pause',
  'pause > work',
  'work > end',
);

/** Duration of a run in excess of its pause. */
export interface RunDelay {
  readonly ms: number;
  /** Commands in progress during the run. */
  readonly concurrentCommands: readonly number[];
}

/** Sequential runs that are independent of the odd values: each starts, pauses briefly, completes a job, and ends. */
export class HealthyRuns {
  #isOver = false;
  #maxLateness: RunDelay = { ms: 0, concurrentCommands: [] };
  #count = 0;

  /** @param activeCommands the commands in progress */
  constructor(
    private readonly server: TestHost,
    private readonly activeCommands: () => readonly number[],
  ) {}

  async run(): Promise<{ readonly count: number; readonly maxLateness: RunDelay }> {
    await this.server.deploy(HEALTHY_MODEL);
    const client = await this.server.client('operator', 'healthy');
    while (!this.#isOver) {
      const commandsAtStart = [...this.activeCommands()];
      const ms = (await this.#time(client)) - PAUSE_MS;
      this.#count += 1;
      if (ms > this.#maxLateness.ms)
        this.#maxLateness = {
          ms: Math.round(ms),
          concurrentCommands: [...new Set([...commandsAtStart, ...this.activeCommands()])],
        };
    }
    return { count: this.#count, maxLateness: this.#maxLateness };
  }

  stop(): void {
    this.#isOver = true;
  }

  async #time(client: Client): Promise<number> {
    const startedAtMs = performance.now();
    const { runId } = await client.startRun({ body: { workflowId: 'healthy' } });
    await this.server.jobs.complete('healthy');
    await waitUntil('a healthy run ends', async () => (await client.getRun({ runId })).outcome === 'completed');
    return performance.now() - startedAtMs;
  }
}
