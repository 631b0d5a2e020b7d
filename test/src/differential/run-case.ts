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

/** Result of a case on Countersign. */
export type OurResult =
  { readonly refusal: string } | { readonly failure: string } | { readonly runs: readonly ObservedRun[] };

/** Compares the result of a case on Countersign with the recorded response of Zeebe. */
export function compareWithZeebe(id: string, ourResult: OurResult, zeebeResponse: RecordedResponse): CaseOutcome {
  return { id, ...compareOutcomes(ourResult, zeebeResponse) };
}

function compareOutcomes(ourResult: OurResult, zeebeResponse: RecordedResponse): Omit<CaseOutcome, 'id'> {
  if ('refusal' in ourResult)
    return { verdict: 'refused' in zeebeResponse ? 'refused by both' : 'refused by us', details: [ourResult.refusal] };
  if ('refused' in zeebeResponse) return { verdict: 'not on Zeebe', details: [] };
  if ('deployed' in zeebeResponse)
    return {
      verdict: 'differs',
      details: ['The runs on Zeebe are not recorded, because Countersign refused the model at that time.'],
    };
  const failures = [
    ...('failure' in ourResult ? [`ours: ${ourResult.failure}`] : []),
    ...('failure' in zeebeResponse ? [`Zeebe: ${zeebeResponse.failure}`] : []),
  ];
  if (!('runs' in ourResult) || !('runs' in zeebeResponse)) return { verdict: 'differs', details: failures };
  const details = compareRuns(ourResult.runs, zeebeResponse.runs);
  return { verdict: details.length === 0 ? 'same' : 'differs', details };
}

/** Executes a case on an engine. Returns errors as a failure instead of throwing them. */
export async function executeCase(each: DifferentialCase, side: Side): Promise<OurResult> {
  const result = await executeSteps(each, side);
  try {
    await side.close();
    return result;
  } catch (error) {
    return {
      failure: `${'failure' in result ? result.failure : 'The case was executed.'} End: ${errorMessage(error)}`,
    };
  }
}

async function executeSteps({ bpmnXml, dmnXml, steps }: DifferentialCase, side: Side): Promise<OurResult> {
  try {
    const refusal = await side.deploy(bpmnXml, dmnXml);
    if (refusal !== undefined) return { refusal };
    for (const [index, step] of steps.entries()) {
      try {
        await side.executeStep(step);
      } catch (error) {
        return {
          failure: `step ${index + 1}, ${describeStep(step)}: ${errorMessage(error)} Observed runs: ${JSON.stringify(await side.observe())}`,
        };
      }
    }
    return { runs: await side.observe() };
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

/** Describes a step, without the file of a migration. */
function describeStep(step: Step): string {
  return JSON.stringify(step, (key, value: unknown) => (key === 'to' ? undefined : value));
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
