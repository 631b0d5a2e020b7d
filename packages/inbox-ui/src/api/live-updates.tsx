import type { Change, ChangeMessage, TokenProvider } from '@countersign/contract';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { BASE_URL } from '../app/base-url.js';
import type { StreamStatus } from './change-stream.js';
import { reloadQueries } from './reload-queries.js';
import { Refresher } from './refresher.js';
import { followSharedChanges } from './shared-stream.js';

/** `polling`: the feed is broken, and the displayed data is reloaded every few seconds. */
export type LiveStatus = 'connecting' | 'live' | 'polling';

const POLL_MS = 5_000;
const LIST_PAUSE_MS = 1_000;
/** Maximum pause between refreshes of the inbox. It is short, because users wait for their approvals and questions. */
const INBOX_PAUSE_MS = 150;
const RUN_PAUSE_MS = 50;

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
  const refresher = useMemo(() => new Refresher((key) => reloadQueries(queryClient, key)), [queryClient]);

  useEffect(() => {
    const controller = new AbortController();
    let previousStatus: StreamStatus = 'connecting';
    const onStatus = (newStatus: StreamStatus): void => {
      if (controller.signal.aborted) return;
      setStatus(newStatus === 'broken' ? 'polling' : newStatus);
      // Data that was requested before the feed started may be older than the feed's first change.
      if (newStatus === 'live' && previousStatus !== 'live') void reloadQueries(queryClient);
      previousStatus = newStatus;
    };
    void followSharedChanges(`countersign:${BASE_URL}:${subject}`, {
      baseUrl: BASE_URL,
      token,
      signal: controller.signal,
      onStatus,
      onMessage: (message) => applyChange(message, queryClient, refresher),
    });
    return () => controller.abort();
  }, [subject, token, signIn, queryClient, refresher]);

  useEffect(() => {
    if (status !== 'polling') return undefined;
    const timer = setInterval(() => void queryClient.invalidateQueries(undefined, { cancelRefetch: false }), POLL_MS);
    return () => clearInterval(timer);
  }, [status, queryClient]);

  return <LiveStatusContext.Provider value={status}>{children}</LiveStatusContext.Provider>;
}

function applyChange(message: ChangeMessage, queryClient: QueryClient, refresher: Refresher): void {
  if (message.type === 'reset') {
    void reloadQueries(queryClient);
    return;
  }
  for (const { key, maxPauseMs } of findStaleQueries(message.change)) refresher.invalidate(key, maxPauseMs);
}

/** Returns the query keys that a change invalidates. */
export function findStaleQueries({
  type,
  runId,
  parentRunId,
  data,
}: Change): readonly { key: readonly unknown[]; maxPauseMs: number }[] {
  const approvalId = data['approvalId'];
  return [
    { key: ['run', runId], maxPauseMs: RUN_PAUSE_MS },
    ...(parentRunId === null ? [] : [{ key: ['run', parentRunId], maxPauseMs: LIST_PAUSE_MS }]),
    { key: ['runs'], maxPauseMs: LIST_PAUSE_MS },
    { key: ['policy-decisions'], maxPauseMs: 2 * LIST_PAUSE_MS },
    ...(type.startsWith('approval.') || (type.startsWith('run.') && type !== 'run.started')
      ? [{ key: ['approvals'], maxPauseMs: INBOX_PAUSE_MS }]
      : []),
    ...(typeof approvalId === 'string' ? [{ key: ['approval', approvalId], maxPauseMs: RUN_PAUSE_MS }] : []),
    ...(type.startsWith('question.') || (type.startsWith('run.') && type !== 'run.started')
      ? [{ key: ['questions'], maxPauseMs: INBOX_PAUSE_MS }]
      : []),
    ...(type.startsWith('step.') ? [] : [{ key: ['workflow'], maxPauseMs: 5_000 }]),
  ];
}
