import { LiveStatusContext, reloadQueries, useChangeHandler } from '@countersign/inbox-ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { bridge } from '../app/bridge.js';
import type { FeedStatus } from '../../common/state.js';

const POLL_MS = 5_000;

/**
 * Keeps the displayed data up to date: with the changes from the main process, or by polling while the change feed is
 * unavailable.
 */
export function DesktopLiveUpdates({ feed, children }: { readonly feed: FeedStatus; readonly children: ReactNode }) {
  const queryClient = useQueryClient();
  const onMessage = useChangeHandler();
  const previousFeed = useRef<FeedStatus>('off');

  useEffect(() => bridge.on('change', onMessage), [onMessage]);

  useEffect(() => {
    // Data that was requested before the feed started may be older than the feed's first change.
    if (feed === 'live' && previousFeed.current !== 'live') void reloadQueries(queryClient);
    previousFeed.current = feed;
    if (feed !== 'polling') return undefined;
    const timer = setInterval(() => void queryClient.invalidateQueries(undefined, { cancelRefetch: false }), POLL_MS);
    return () => clearInterval(timer);
  }, [feed, queryClient]);

  return (
    <LiveStatusContext.Provider value={feed === 'off' ? 'connecting' : feed}>{children}</LiveStatusContext.Provider>
  );
}
