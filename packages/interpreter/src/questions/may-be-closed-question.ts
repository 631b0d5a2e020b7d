import type { RunState } from '@countersign/model';

/**
 * Returns whether an id may belong to a closed question of this run. Ids of a run share the random part of the run's
 * own id (`createSequentialId`), so an id of another run does not match. The state does not keep closed questions.
 */
export function mayBeClosedQuestion({ runId, counter }: RunState, questionId: string): boolean {
  const [, , count = '', variant, tail = ''] = questionId.split('-');
  return (
    /^7[0-9a-f]{3}$/.test(count) &&
    variant === runId.slice(19, 23) &&
    tail.slice(0, 4) === runId.slice(24, 28) &&
    counter > 0
  );
}
