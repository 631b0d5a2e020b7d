import type { Client } from '@countersign/contract';
import { processModel, serviceTask, type TestHost, until } from '@countersign/testing';

const PAUSE_MS = 200;
const HEALTHY = processModel(
  'healthy',
  `<bpmn:startEvent id="start" /><bpmn:intermediateCatchEvent id="pause"><bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">PT${PAUSE_MS / 1_000}S</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:intermediateCatchEvent>${serviceTask('work', 'healthy')}<bpmn:endEvent id="end" />`,
  'start > pause',
  'pause > work',
  'work > end',
);

/** Duration of a run in excess of its pause. */
export interface Lateness {
  readonly ms: number;
  /** Commands in progress during the run. */
  readonly meanwhile: readonly number[];
}

/** Sequential runs unrelated to any other: each starts, pauses briefly, completes a job, and ends. */
export class HealthyRuns {
  #isOver = false;
  #worst: Lateness = { ms: 0, meanwhile: [] };
  #count = 0;

  /** @param underWay the commands in progress */
  constructor(
    private readonly server: TestHost,
    private readonly underWay: () => readonly number[],
  ) {}

  async run(): Promise<{ readonly count: number; readonly worst: Lateness }> {
    await this.server.deploy(HEALTHY);
    const client = await this.server.client('operator', 'healthy');
    while (!this.#isOver) {
      const meanwhile = [...this.underWay()];
      const ms = (await this.#time(client)) - PAUSE_MS;
      this.#count += 1;
      if (ms > this.#worst.ms)
        this.#worst = { ms: Math.round(ms), meanwhile: [...new Set([...meanwhile, ...this.underWay()])] };
    }
    return { count: this.#count, worst: this.#worst };
  }

  stop(): void {
    this.#isOver = true;
  }

  async #time(client: Client): Promise<number> {
    const begin = performance.now();
    const { runId } = await client.startRun({ body: { workflowId: 'healthy' } });
    await this.server.jobs.complete('healthy');
    await until('a healthy run ends', async () => (await client.getRun({ runId })).outcome === 'completed');
    return performance.now() - begin;
  }
}
