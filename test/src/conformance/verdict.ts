import type { FieldError } from '@countersign/contract';
import type { Tier } from './material.js';

/** `refused`: not deployed, with reasons, which is safe. `wrong`: it did something else than the standard says. */
export type Verdict = 'right' | 'refused' | 'wrong';

/** What came of a case. */
export interface CaseResult {
  readonly id: string;
  readonly group: string;
  readonly tier: Tier;
  readonly verdict: Verdict;
  /** What differs, or why the model is refused. Empty where it is right. */
  readonly details: readonly string[];
}

/** The judgement of a case whose model is not deployed. */
export function refusal(problems: readonly FieldError[]): Pick<CaseResult, 'verdict' | 'details'> {
  // A refusal that gives no reason is no better than a crash.
  if (problems.length === 0) return { verdict: 'wrong', details: ['It was refused without a reason.'] };
  return {
    verdict: 'refused',
    details: problems.map(
      ({ pointer, code, message }) => `${pointer === '' ? '' : `"${pointer}" `}${code}: ${message}`,
    ),
  };
}

/** Right where nothing differs. */
export function judged(differences: readonly string[]): Pick<CaseResult, 'verdict' | 'details'> {
  return { verdict: differences.length === 0 ? 'right' : 'wrong', details: differences };
}

/** Errors of the service or of the runner: whatever it was, it was not what the case expects. */
export function failure(error: unknown): Pick<CaseResult, 'verdict' | 'details'> {
  return { verdict: 'wrong', details: [error instanceof Error ? `${error.name}: ${error.message}` : String(error)] };
}
