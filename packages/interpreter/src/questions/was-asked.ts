import type { RunState } from '@countersign/model';

/**
 * Whether an id may be that of a question of this run which is over: ids of a run share what is random in the run's own id
 * (`sequentialId`), so that none of another run is taken for it. The state does not keep what is over.
 */
export function wasAsked({ runId, counter }: RunState, questionId: string): boolean {
  const [, , count = '', variant, tail = ''] = questionId.split('-');
  return (
    /^7[0-9a-f]{3}$/.test(count) &&
    variant === runId.slice(19, 23) &&
    tail.slice(0, 4) === runId.slice(24, 28) &&
    counter > 0
  );
}
