import { compileWorkflows } from '@countersign/bpmn';
import { advance } from '@countersign/interpreter';
import { isModelRefusedError } from '@countersign/model';
import { loadPolicy } from '@countersign/policy-cedar';
import type { Benchmark } from '../benchmark.js';
import { FEEL_ATTACKS, MODEL_ATTACKS, buildScriptModel } from '../hostile/model-attacks.js';
import { median } from '../measure/statistics.js';
import { formatNumber, formatRange, type Table } from '../measure/table.js';

interface AttackSample {
  readonly attack: string;
  /** Code of the refusal or incident, or else the outcome of the compilation or run. */
  readonly outcome: string;
  readonly milliseconds: readonly number[];
}

/**
 * Processing time of BPMN models and FEEL expressions that are designed to be slow. Target: models are refused within
 * 200 ms, and incidents are raised within 100 ms.
 */
export const hostile: Benchmark = {
  name: 'hostile',
  database: false,
  async run({ repetitions, progress }) {
    const models: AttackSample[] = [];
    await compileAttack(buildScriptModel('1'));
    for (const [attack, xml] of Object.entries(MODEL_ATTACKS)) {
      progress(attack);
      models.push(await measure(attack, repetitions, () => compileAttack(xml)));
    }
    const expressions: AttackSample[] = [];
    for (const expression of FEEL_ATTACKS) {
      progress(expression);
      const start = await prepareRun(buildScriptModel(expression));
      expressions.push(await measure(expression, repetitions, start));
    }
    return {
      tables: [
        table('hostile: BPMN models, time until refused or compiled', models),
        table('hostile: FEEL, time until the end of the command', expressions),
      ],
      notes: [`${repetitions} repetitions, medians.`],
      figures: { repetitions, models, expressions },
    };
  },
};

/** @returns the code of the first problem, or the result of the compilation */
async function compileAttack(xml: string): Promise<string> {
  try {
    const { workflows } = await compileWorkflows(xml);
    return `compiled, ${formatNumber(workflows.reduce((sum, { graph }) => sum + graph.nodes.size, 0))} nodes`;
  } catch (error) {
    if (isModelRefusedError(error)) return error.problems[0]?.code ?? 'refused';
    throw error;
  }
}

/**
 * Compiles a BPMN model. Returns a function that starts a run and returns the code of its incident, or else the outcome
 * of the run.
 */
async function prepareRun(xml: string): Promise<() => string> {
  const graph = (await compileWorkflows(xml)).workflows[0]?.graph;
  if (graph === undefined) throw new Error('The model has no workflow.');
  const { policy } = await loadPolicy();
  const settings = {
    separationOfDuties: true,
    excludeDeployers: false,
    requireDigest: false,
    retryBackoffMs: 1000,
    retryBackoffMaxMs: 60_000,
  };
  const actor = { type: 'user', id: 'attacker', name: null } as const;
  const runId = '019aa000-0000-7000-8000-000000000001';
  const command = {
    type: 'start',
    actor,
    runId,
    workflowVersion: 1,
    workflowDigest: 'sha256:0',
    businessKey: null,
    inputs: {},
  } as const;
  return () => {
    const { state } = advance(graph, null, command, { now: Date.now(), policy, settings });
    return (
      Object.values(state.instances).find(({ incident }) => incident !== undefined)?.incident?.code ??
      `run ${state.outcome ?? 'active'}`
    );
  };
}

async function measure(
  attack: string,
  repetitions: number,
  work: () => Promise<string> | string,
): Promise<AttackSample> {
  const milliseconds: number[] = [];
  let outcome = '';
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const startedAt = performance.now();
    outcome = await work();
    milliseconds.push(performance.now() - startedAt);
  }
  return { attack, outcome, milliseconds };
}

function table(title: string, samples: readonly AttackSample[]): Table {
  const rows = samples.map(({ attack, outcome, milliseconds }) => [
    attack,
    outcome,
    formatNumber(median(milliseconds), 1),
    formatRange(milliseconds, 1),
  ]);
  return { title, columns: ['attack', 'outcome', 'ms', 'min – max'], rows };
}
