import { adaptModel, readMarkers } from './adapt-model.js';
import { CaseHost, type CaseRunOptions } from './case-host.js';
import { judgeTrace } from './judge-trace.js';
import type { TracedCase } from './material.js';
import { observe } from './observation.js';
import { toFailure, toJudgement, toRefusal, type CaseResult } from './verdict.js';

/** Deploys a BPMN model, executes it until the run has ended or waits, and judges the trace. */
export async function runTracedCase(
  expected: TracedCase,
  model: string,
  options: CaseRunOptions = {},
): Promise<CaseResult> {
  const { id, group, tier } = expected;
  try {
    return await CaseHost.use(options, async (host) => ({ id, group, tier, ...(await run(host, expected, model)) }));
  } catch (error) {
    return { id, group, tier, ...toFailure(error) };
  }
}

async function run(
  host: CaseHost,
  expected: TracedCase,
  model: string,
): Promise<Pick<CaseResult, 'verdict' | 'details'>> {
  const problems = await host.deploy(adaptModel(model));
  if (problems !== undefined) {
    const refusal = toRefusal(problems);
    return refusal.verdict === 'refused' && expected.deployRejectionAllowed === true ? toJudgement([]) : refusal;
  }
  for (const processId of expected.preStart) await host.startRun(processId, { log: [] });
  const { runId } = await host.startRun(expected.processId, { ...expected.startVariables, log: [] });
  await host.fireAllTimers();
  return toJudgement(judgeTrace(expected, observe(runId, await host.listRuns(), readMarkers(model))));
}
