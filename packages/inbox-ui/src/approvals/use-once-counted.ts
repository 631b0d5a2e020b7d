import type { Approval } from '@countersign/contract';
import { useCallback, useEffect, useRef } from 'react';
import type { PendingVote } from '../inbox/index.js';

/**
 * Returns a function that waits until the pending vote on an approval is counted, and then calls `onCounted` with the
 * approval; never if the vote is not counted. Only the vote of the last call is waited for.
 */
export function useOnceCounted(
  entries: readonly PendingVote[],
  onCounted: (approval: Approval) => void,
): (approval: Approval) => void {
  const expected = useRef<Approval>(undefined);
  const latestOnCounted = useRef(onCounted);
  latestOnCounted.current = onCounted;
  useEffect(() => {
    const { current } = expected;
    if (current === undefined) return;
    const entry = entries.find(({ approval }) => approval.approvalId === current.approvalId);
    if (entry?.state === 'sending') return;
    expected.current = undefined;
    if (entry === undefined) latestOnCounted.current(current);
  }, [entries]);
  return useCallback((approval: Approval) => {
    expected.current = approval;
  }, []);
}
