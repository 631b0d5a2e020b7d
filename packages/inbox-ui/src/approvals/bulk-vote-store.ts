import type { Approval, Client } from '@countersign/contract';
import type { SeenEvidenceByKey } from '../inbox/index.js';
import { Listeners } from '../ui/listeners.js';

interface OpenBulkVote {
  /** The approvals as loaded for the dialog. */
  readonly approvals: readonly Approval[];
  /** The evidence that the user had seen when the dialog opened. A retry reports the same. */
  readonly seenEvidence: SeenEvidenceByKey;
  /** Called when the dialog is closed. */
  onClosed(): void;
}

/**
 * Store of the approvals that the user is about to approve together. It outlives the page, so going back does not undo
 * anything.
 */
export class BulkVoteStore {
  private bulkVote: OpenBulkVote | undefined;
  private readonly listeners = new Listeners();

  readonly getSnapshot = (): OpenBulkVote | undefined => this.bulkVote;

  readonly subscribe = this.listeners.subscribe;

  open(approvals: readonly Approval[], seenEvidence: SeenEvidenceByKey, onClosed: () => void): void {
    this.set({ approvals, seenEvidence, onClosed });
  }

  close(): void {
    const closedVote = this.bulkVote;
    this.set(undefined);
    closedVote?.onClosed();
  }

  private set(bulkVote: OpenBulkVote | undefined): void {
    this.bulkVote = bulkVote;
    this.listeners.notify();
  }
}

const stores = new WeakMap<Client, BulkVoteStore>();

/** Returns the store of a session. */
export function getBulkVoteStore(client: Client): BulkVoteStore {
  const store = stores.get(client) ?? new BulkVoteStore();
  stores.set(client, store);
  return store;
}
