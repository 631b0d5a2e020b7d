import type { DifferentialCase } from './case.js';
import { compareRuns } from './compare.js';
import type { RecordedResponse } from './recorded-responses.js';
import type { ObservedRun, Side, Step } from './side.js';

export type Verdict = 'same' | 'differs' | 'not on Zeebe' | 'refused by us' | 'refused by both';

export interface CaseOutcome {
  readonly id: string;
  readonly verdict: Verdict;
  readonly details: readonly string[];
}

/** Result of a case here. */
export type PlayedCase =
  { readonly refusal: string } | { readonly failure: string } | { readonly runs: readonly ObservedRun[] };

/** Compares the result of a case here with the recorded one of Zeebe. */
export function judge(id: string, ourResult: PlayedCase, zeebe: RecordedResponse): CaseOutcome {
  return { id, ...compareOutcomes(ourResult, zeebe) };
}

function compareOutcomes(ourResult: PlayedCase, zeebe: RecordedResponse): Omit<CaseOutcome, 'id'> {
  if ('refusal' in ourResult)
    return { verdict: 'refused' in zeebe ? 'refused by both' : 'refused by us', details: [ourResult.refusal] };
  if ('refused' in zeebe) return { verdict: 'not on Zeebe', details: [] };
  if ('deployed' in zeebe)
    return { verdict: 'differs', details: ['What Zeebe made of it is not recorded, as it was refused here.'] };
  const failures = [
    ...('failure' in ourResult ? [`ours: ${ourResult.failure}`] : []),
    ...('failure' in zeebe ? [`Zeebe: ${zeebe.failure}`] : []),
  ];
  if (!('runs' in ourResult) || !('runs' in zeebe)) return { verdict: 'differs', details: failures };
  const details = compareRuns(ourResult.runs, zeebe.runs);
  return { verdict: details.length === 0 ? 'same' : 'differs', details };
}

/** Executes a case on an engine. Any error is its result. */
export async function play({ bpmnXml, dmnXml, steps }: DifferentialCase, side: Side): Promise<PlayedCase> {
  try {
    const refusal = await side.deploy(bpmnXml, dmnXml);
    if (refusal !== undefined) return { refusal };
    for (const [index, step] of steps.entries()) {
      try {
        await side.take(step);
      } catch (error) {
        return {
          failure: `step ${index + 1}, ${describeStep(step)}: ${errorMessage(error)} It had come to ${JSON.stringify(await side.observe())}`,
        };
      }
    }
    return { runs: await side.observe() };
  } catch (error) {
    return { failure: errorMessage(error) };
  } finally {
    await side.close();
  }
}

/** Describes a step, without the file of a migration. */
function describeStep(step: Step): string {
  return JSON.stringify(step, (key, value: unknown) => (key === 'to' ? undefined : value));
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
