import { Engine } from 'bpmn-engine';
import { buildApprovalWorkflow } from '../workload/approval-workflow.js';
import { createRunInputs } from './interpreter-runs.js';
import type { StateSizes } from './state-sizes.js';

/** Plain BPMN for `bpmn-engine`. Its expressions cannot compare values, so the decision is a boolean. */
const WORKFLOW = buildApprovalWorkflow({
  serviceTask: (id) => `<bpmn:serviceTask id="${id}" implementation="\${environment.services.work}" />`,
  userTask: '',
  approvedCondition: '${environment.output.approval.approved}',
});

const silentLogger = { debug() {}, error() {}, warn() {} };

/** Runs of the same process by `bpmn-engine`, driven as fast as possible. */
export interface BpmnEngineRuns {
  run(count: number): Promise<void>;
  /** Returns the sizes of the state from which the engine would resume, with and without its copy of the process. */
  measureSizes(): Promise<{ wholeSizes: StateSizes; sizesWithoutSource: StateSizes }>;
}

interface WorkScope {
  content: { id: string };
}

/**
 * Creates a separate engine for each run, as the authors of `bpmn-engine` intend, from a source that was parsed once.
 * There are no listeners, no log and no saved state. Jobs complete immediately, and the approval as soon as the run
 * waits for it.
 */
export async function openBpmnEngine(): Promise<BpmnEngineRuns> {
  const parser = new Engine({ source: WORKFLOW, Logger: () => silentLogger });
  const [definition] = await parser.getDefinitions();
  const sourceContext = definition?.environment.options['source'];
  let jobCount = 0;
  const services = {
    work({ content }: WorkScope, done: (error: null, output: object) => void): void {
      jobCount += 1;
      done(null, { [`done_${content.id}`]: jobCount });
    },
  };

  const run = async (index: number, inspect: (engine: Engine) => Promise<void> | void): Promise<void> => {
    const engine = new Engine({
      name: 'run',
      sourceContext,
      services,
      variables: createRunInputs(index),
      Logger: () => silentLogger,
    });
    const execution = await engine.execute();
    await inspect(engine);
    const [task] = execution.getPostponed();
    if (task === undefined) throw new Error('bpmn-engine does not wait for the approval.');
    task.environment.output['approval'] = { approved: true, by: 'approver' };
    task.signal();
    await inspect(engine);
    if (engine.state !== 'idle' || jobCount !== 2)
      throw new Error(`bpmn-engine is ${engine.state} after ${jobCount} jobs.`);
    jobCount = 0;
  };

  return {
    async run(count) {
      for (let index = 0; index < count; index += 1) await run(index, () => undefined);
    },
    async measureSizes() {
      const wholeBytes: number[] = [];
      const bytesWithoutSource: number[] = [];
      await run(0, async (engine) => {
        const state = await engine.getState();
        wholeBytes.push(Buffer.byteLength(JSON.stringify(state)));
        bytesWithoutSource.push(
          Buffer.byteLength(JSON.stringify(state, (key, value: unknown) => (key === 'source' ? undefined : value))),
        );
      });
      return { wholeSizes: summarizeSizes(wholeBytes), sizesWithoutSource: summarizeSizes(bytesWithoutSource) };
    },
  };
}

function summarizeSizes(bytes: readonly number[]): StateSizes {
  return { maxBytes: Math.max(...bytes), endBytes: bytes.at(-1) ?? Number.NaN };
}
