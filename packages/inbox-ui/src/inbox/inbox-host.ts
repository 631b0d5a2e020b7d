import type { Approval, Role } from '@countersign/contract';
import { createContext, useContext, type ReactNode } from 'react';
import type { DraftHost } from './draft-host.js';
import type { UnconfirmedVote } from './pending-vote.js';

type Asked = Pick<Approval, 'approvalId' | 'round'>;

/** Puts approvals off, on this device. */
export interface SnoozeHost {
  /** When it comes back, in ms since the epoch; `undefined`: it is not put off. */
  until(approval: Asked): number | undefined;
  /** @param until in ms since the epoch. @returns whether it was put off */
  put(approval: Asked, until: number): Promise<boolean>;
  /** It comes back now. */
  wake(approval: Asked): void;
}

/**
 * How votes come to be signed. `elsewhere`: there is no key here, nor can there be one. `to-set-up`: there can be one.
 * `here`: there is one; each vote that is signed is confirmed in a dialog of its own.
 */
export type Signing =
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'to-set-up'; setUp(): void }
  | { readonly kind: 'here'; readonly every: boolean };

/** An artifact in exactly one version. */
export interface PinnedEvidence {
  readonly runId: string;
  readonly name: string;
  readonly version: number;
  readonly sha256: string;
}

/** Votes that were sent before the page began, and whose answer did not come. */
export interface UnconfirmedVotes {
  /** `tooOld`: no server knows their keys any more; they are told of once. */
  list(): Promise<{ readonly votes: readonly UnconfirmedVote[]; readonly tooOld: readonly UnconfirmedVote[] }>;
  /** @param key of the vote that nobody is to ask about again */
  forget(key: string): void;
}

/** What the web UI and the desktop client do each in their own way. The client of the API comes by `ClientContext`. */
export interface InboxHost {
  /** Whether the one who looks has at least this role: what they may not do is not offered. */
  may(role: Role): boolean;
  /** What is shown is what was known: it can be read, and nothing can be done. */
  readonly offline?: boolean;
  /** Votes that have to be signed can only be cast where they can be. */
  readonly signing: Signing;
  /** Left out: votes are not kept beyond the page. */
  readonly unconfirmedVotes?: UnconfirmedVotes;
  /** Left out: nothing is put off here. */
  readonly snooze?: SnoozeHost;
  /** Left out: what is written is gone with the page. It stays the same for as long as the inbox is shown. */
  readonly drafts?: DraftHost;
  /**
   * Saves evidence where the person says; left out: the browser downloads it.
   *
   * @param onProgress bytes so far, and of how many where that is known
   * @returns whether it was saved; rejects with why it could not be
   */
  saveEvidence?(
    evidence: PinnedEvidence,
    onProgress: (received: number, total: number | undefined) => void,
  ): Promise<boolean>;
  /** How one gets to a run. */
  runLink(runId: string, text: string): ReactNode;
}

export const InboxHostContext = createContext<InboxHost | undefined>(undefined);

export function useInboxHost(): InboxHost {
  const host = useContext(InboxHostContext);
  if (host === undefined) throw new Error('There is no inbox here.');
  return host;
}
