import { Engine } from 'bpmn-engine';
import { approvalWorkflow } from '../workload/approval-workflow.js';
import { runInputs } from './interpreter-runs.js';
import type { StateSizes } from './state-sizes.js';

/** Plain BPMN for that engine. Its expressions have no comparison, so the decision is a boolean. */
const WORKFLOW = approvalWorkflow({
  serviceTask: (id) => `<bpmn:serviceTask id="${id}" implementation="\${environment.services.work}" />`,
  userTask: '',
  approved: '${environment.output.approval.approved}',
});

const silentLogger = { debug() {}, error() {}, warn() {} };

/** The same process by `bpmn-engine`, driven as fast as possible. */
export interface BpmnEngineRuns {
  run(count: number): Promise<void>;
  /** Returns the sizes of the state it would resume from, with and without its copy of the process. */
  sizes(): Promise<{ wholeSizes: StateSizes; sizesWithoutSource: StateSizes }>;
}

interface WorkScope {
  content: { id: string };
}

/**
 * Opens one engine for each run, as intended by its authors, on a source that was parsed and serialised once. No
 * listener, no log, no saved state; jobs complete immediately, and the approval as soon as the run waits for it.
 */
export async function openBpmnEngine(): Promise<BpmnEngineRuns> {
  const parser = new Engine({ source: WORKFLOW, Logger: () => silentLogger });
  const [definition] = await parser.getDefinitions();
  const sourceContext = definition?.environment.options['source'];
  let jobs = 0;
  const services = {
    work({ content }: WorkScope, done: (error: null, output: object) => void): void {
      jobs += 1;
      done(null, { [`done_${content.id}`]: jobs });
    },
  };

  const run = async (index: number, inspect: (engine: Engine) => Promise<void> | void): Promise<void> => {
    const engine = new Engine({
      name: 'run',
      sourceContext,
      services,
      variables: runInputs(index),
      Logger: () => silentLogger,
    });
    const execution = await engine.execute();
    await inspect(engine);
    const [task] = execution.getPostponed();
    if (task === undefined) throw new Error('bpmn-engine does not wait for the approval.');
    task.environment.output['approval'] = { approved: true, by: 'approver' };
    task.signal();
    await inspect(engine);
    if (engine.state !== 'idle' || jobs !== 2) throw new Error(`bpmn-engine is ${engine.state} after ${jobs} jobs.`);
    jobs = 0;
  };

  return {
    async run(count) {
      for (let index = 0; index < count; index += 1) await run(index, () => undefined);
    },
    async sizes() {
      const whole: number[] = [];
      const bare: number[] = [];
      await run(0, async (engine) => {
        const state = await engine.getState();
        whole.push(Buffer.byteLength(JSON.stringify(state)));
        bare.push(
          Buffer.byteLength(JSON.stringify(state, (key, value: unknown) => (key === 'source' ? undefined : value))),
        );
      });
      return { wholeSizes: summarizeSizes(whole), sizesWithoutSource: summarizeSizes(bare) };
    },
  };
}

function summarizeSizes(bytes: readonly number[]): StateSizes {
  return { largest: Math.max(...bytes), ended: bytes.at(-1) ?? Number.NaN };
}
