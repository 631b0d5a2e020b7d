import type { Approval, Run } from '@countersign/contract';

/** What the first steps ask for next. */
export type FirstStep =
  | { readonly kind: 'working' | 'waiting' | 'failed' | 'voted' | 'ended' }
  | { readonly kind: 'otherPerson' | 'decide'; readonly approval: Approval };

/** Number of the step that is in progress, of {@link FIRST_STEP_COUNT}. */
export const FIRST_STEP_NUMBERS: Readonly<Record<FirstStep['kind'], number>> = {
  working: 1,
  waiting: 1,
  failed: 1,
  otherPerson: 2,
  decide: 3,
  voted: 3,
  ended: 4,
};

export const FIRST_STEP_COUNT = 4;

/**
 * Returns the next step with a run of an example: wait, continue as another person, decide, look at the evidence.
 *
 * @param approval the pending approval of the run, as the signed-in user sees it
 * @param hasPendingVote whether the user's vote on it is about to be sent
 */
export function findFirstStep(
  { outcome, status }: Pick<Run, 'outcome' | 'status'>,
  approval: Approval | undefined,
  hasPendingVote: boolean,
): FirstStep {
  if (outcome !== null) return { kind: 'ended' };
  if (hasPendingVote) return { kind: 'voted' };
  if (approval !== undefined) return { kind: approval.canDecide.allowed ? 'decide' : 'otherPerson', approval };
  return { kind: status === 'failed' ? 'failed' : status === 'blocked' ? 'waiting' : 'working' };
}
