import type { Approval, Role } from '@countersign/contract';
import { createContext, useContext, type ReactNode } from 'react';
import type { DraftHost } from './draft-host.js';
import type { UnconfirmedVote } from './pending-vote.js';

type ApprovalRound = Pick<Approval, 'approvalId' | 'round'>;

/** Snoozes approvals on this device. */
export interface SnoozeHost {
  /** Returns the end of the snooze, in ms since the epoch; `undefined` if the approval is not snoozed. */
  snoozedUntil(approval: ApprovalRound): number | undefined;
  /**
   * @param until in ms since the epoch
   * @returns whether the approval was snoozed
   */
  snooze(approval: ApprovalRound, until: number): Promise<boolean>;
  /** Ends the snooze now. */
  wake(approval: ApprovalRound): void;
}

/**
 * Support for signed votes in this client. `elsewhere`: there is no key and none can be set up. `to-set-up`: a key can
 * be set up. `here`: there is a key; each signed vote is confirmed in a separate dialog.
 */
export type Signing =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'to-set-up'; setUp(): void }
  | { readonly kind: 'here'; readonly signsEveryVote: boolean };

/** An artifact in an exact version. */
export interface PinnedEvidence {
  readonly runId: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}

/** Votes that were sent before the page was loaded and are unconfirmed. */
export interface UnconfirmedVotes {
  /** `tooOld`: votes whose idempotency keys the server no longer stores; they are reported once. */
  list(): Promise<{ readonly votes: readonly UnconfirmedVote[]; readonly tooOld: readonly UnconfirmedVote[] }>;
  /** @param key of the vote that must not be retried */
  forget(key: string): void;
}

/**
 * Functions that the web UI and the desktop client implement differently. The API client comes from `ClientContext`.
 */
export interface InboxHost {
  /** Returns whether the user has at least this role: forbidden actions are not offered. */
  hasRole(role: Role): boolean;
  /** Whether cached data is displayed, which is read-only. */
  readonly offline?: boolean;
  /** Support for signed votes. An approval that requires a signature can be decided only with a signing key. */
  readonly signing: Signing;
  /** If omitted, unconfirmed votes are lost when the page is closed. */
  readonly unconfirmedVotes?: UnconfirmedVotes;
  /** If omitted, snoozing is not offered. */
  readonly snooze?: SnoozeHost;
  /**
   * If omitted, drafts are lost when the page is closed. The object must stay the same while the inbox is displayed.
   */
  readonly drafts?: DraftHost;
  /**
   * Saves evidence at a location that the user chooses; if omitted, the browser downloads it.
   *
   * @param onProgress called with the number of bytes received so far and, if known, the total
   * @returns whether the file was saved; rejects with the reason if saving failed
   */
  saveEvidence?(
    evidence: PinnedEvidence,
    onProgress: (received: number, total: number | undefined) => void,
  ): Promise<boolean>;
  /** Returns the address of an approval in the web UI, to send to another person. */
  approvalUrl(approvalId: string): string;
  /** Returns a link to a run. */
  runLink(runId: string, text: string): ReactNode;
}

export const InboxHostContext = createContext<InboxHost | undefined>(undefined);

export function useInboxHost(): InboxHost {
  const host = useContext(InboxHostContext);
  if (host === undefined) throw new Error('Render this component inside InboxHostContext.Provider.');
  return host;
}
