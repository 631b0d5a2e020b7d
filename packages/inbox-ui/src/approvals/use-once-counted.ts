import { useCallback, useEffect, useRef } from 'react';
import type { PendingVote } from '../inbox/index.js';

/**
 * Returns a function that waits until the pending vote on an approval is counted, and then calls `onCounted` with the
 * id of the approval; never if the vote is not counted. Only the vote of the last call is waited for.
 */
export function useOnceCounted(
  entries: readonly PendingVote[],
  onCounted: (approvalId: string) => void,
): (approvalId: string) => void {
  const expectedId = useRef<string>(undefined);
  const latestOnCounted = useRef(onCounted);
  latestOnCounted.current = onCounted;
  useEffect(() => {
    const { current: approvalId } = expectedId;
    if (approvalId === undefined) return;
    const entry = entries.find(({ approval }) => approval.approvalId === approvalId);
    if (entry?.state === 'sending') return;
    expectedId.current = undefined;
    if (entry === undefined) latestOnCounted.current(approvalId);
  }, [entries]);
  return useCallback((approvalId: string) => {
    expectedId.current = approvalId;
  }, []);
}
