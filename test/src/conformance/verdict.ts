import type { FieldError } from '@countersign/contract';
import type { Tier } from './material.js';

/** `refused`: not deployed, with reasons, which is safe. `wrong`: deviates from the standard. */
export type Verdict = 'right' | 'refused' | 'wrong';

/** Result of a case. */
export interface CaseResult {
  readonly id: string;
  readonly group: string;
  readonly tier: Tier;
  readonly verdict: Verdict;
  /** Differences, or the reasons for the refusal. Empty if the verdict is `right`. */
  readonly details: readonly string[];
}

/** Returns the verdict for a case whose model is not deployed. */
export function toRefusal(problems: readonly FieldError[]): Pick<CaseResult, 'verdict' | 'details'> {
  // A refusal that gives no reason is no better than a crash.
  if (problems.length === 0) return { verdict: 'wrong', details: ['The BPMN model was refused without a reason.'] };
  return {
    verdict: 'refused',
    details: problems.map(
      ({ pointer, code, message }) => `${pointer === '' ? '' : `"${pointer}" `}${code}: ${message}`,
    ),
  };
}

/** Returns the verdict `right` if there are no differences, otherwise `wrong`. */
export function toJudgement(differences: readonly string[]): Pick<CaseResult, 'verdict' | 'details'> {
  return { verdict: differences.length === 0 ? 'right' : 'wrong', details: differences };
}

/** Returns the verdict for an error of the service or the runner, which no case expects. */
export function toFailure(error: unknown): Pick<CaseResult, 'verdict' | 'details'> {
  return { verdict: 'wrong', details: [error instanceof Error ? `${error.name}: ${error.message}` : String(error)] };
}
