import type { TokenProvider } from '@countersign/contract';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { BASE_URL } from '../app/base-url.js';
import type { StreamStatus } from './change-stream.js';
import { Loading } from '../ui/loading.js';
import { reloadQueries } from './reload-queries.js';
import { followSharedChanges } from './shared-stream.js';
import { useChangeHandler } from './use-change-handler.js';

/** `polling`: the feed is broken, and the displayed data is reloaded every few seconds. */
export type LiveStatus = 'connecting' | 'live' | 'polling';

const POLL_MS = 5_000;
/** Longest time for which the pages wait for the feed, in ms. What they load before it starts is loaded twice. */
const MAX_WAIT_FOR_FEED_MS = 150;

export const LiveStatusContext = createContext<LiveStatus>('connecting');

/** Returns the status of the live updates of the displayed data. */
export function useLiveStatus(): LiveStatus {
  return useContext(LiveStatusContext);
}

interface LiveUpdatesProps {
  /** User of the feed. The tabs of one user share one feed. */
  readonly subject: string;
  readonly token: TokenProvider;
  /** A new object for each sign-in: a feed that was refused before is requested again immediately. */
  readonly signIn: object;
  readonly children: ReactNode;
}

/** Keeps the displayed data current with the change feed, or with polling while the feed is broken. */
export function LiveUpdates({ subject, token, signIn, children }: LiveUpdatesProps) {
  const queryClient = useQueryClient();
  const [status, setStatus] = useState<LiveStatus>('connecting');
  const onMessage = useChangeHandler();
  const [showsPages, setShowsPages] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShowsPages(true), MAX_WAIT_FOR_FEED_MS);
    return () => clearTimeout(timer);
  }, []);

  useEffect(() => {
    const controller = new AbortController();
    let previousStatus: StreamStatus = 'connecting';
    const onStatus = (newStatus: StreamStatus): void => {
      if (controller.signal.aborted) return;
      setStatus(newStatus === 'broken' ? 'polling' : newStatus);
      if (newStatus !== 'connecting') setShowsPages(true);
      // Data that was requested before the feed started may be older than the feed's first change.
      if (newStatus === 'live' && previousStatus !== 'live') void reloadQueries(queryClient);
      previousStatus = newStatus;
    };
    void followSharedChanges(`countersign:${BASE_URL}:${subject}`, {
      baseUrl: BASE_URL,
      token,
      signal: controller.signal,
      onStatus,
      onMessage,
    });
    return () => controller.abort();
  }, [subject, token, signIn, queryClient, onMessage]);

  useEffect(() => {
    if (status !== 'polling') return undefined;
    const timer = setInterval(() => void queryClient.invalidateQueries(undefined, { cancelRefetch: false }), POLL_MS);
    return () => clearInterval(timer);
  }, [status, queryClient]);

  return <LiveStatusContext.Provider value={status}>{showsPages ? children : <Loading />}</LiveStatusContext.Provider>;
}
