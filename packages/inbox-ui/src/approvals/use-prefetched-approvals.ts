import type { InboxItem } from '@countersign/contract';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../api/client-context.js';
import { getPrefetchedApprovals, type PrefetchedApprovals } from '../api/prefetched-approvals.js';
import { loadApprovals } from './load-approvals.js';

/** Number of approvals after the displayed one that are loaded together. */
const LOADED_AHEAD = 20;
/** More are loaded when fewer than this remain, so that moving through the list never waits. */
const MIN_AHEAD = 6;

/**
 * Loads the approvals that the user is about to open. They are displayed immediately when they are opened, and loaded
 * individually then, because a decision is never based on what was loaded in advance.
 *
 * @param items the rows of the list, in order
 * @param current id of the displayed approval
 */
export function usePrefetchedApprovals(items: readonly InboxItem[], current: string | undefined): void {
  const client = useClient();
  const store = getPrefetchedApprovals(client);
  /** Versions that were requested: one that cannot be loaded is not requested again. */
  const requested = useRef(new Set<string>()).current;
  const [isLoading, setIsLoading] = useState(false);
  const missingVersions = findMissing(items, current, store)
    .map(getVersion)
    .filter((version) => !requested.has(version))
    .join(',');
  useEffect(() => {
    if (missingVersions === '' || isLoading) return;
    const versions = missingVersions.split(',');
    for (const version of versions) requested.add(version);
    setIsLoading(true);
    loadApprovals(client, versions.map(getApprovalId))
      .then(
        (approvals) => store.add(approvals),
        // Not reported: an approval that could not be loaded in advance is loaded when it is opened.
        () => undefined,
      )
      .finally(() => setIsLoading(false));
  }, [client, store, requested, isLoading, missingVersions]);
}

function findMissing(
  items: readonly InboxItem[],
  current: string | undefined,
  store: PrefetchedApprovals,
): readonly InboxItem[] {
  const position = items.findIndex(({ approvalId }) => approvalId === current);
  const isMissing = (item: InboxItem): boolean => !store.has(item);
  const ahead = items.slice(position + 1, position + 1 + LOADED_AHEAD);
  return ahead.slice(0, MIN_AHEAD).some(isMissing) ? ahead.filter(isMissing) : [];
}

function getVersion({ approvalId, round, digest }: InboxItem): string {
  return `${approvalId} ${round} ${digest}`;
}

function getApprovalId(version: string): string {
  return version.slice(0, version.indexOf(' '));
}
