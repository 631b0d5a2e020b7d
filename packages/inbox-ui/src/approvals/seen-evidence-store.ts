import type { Client } from '@countersign/contract';
import { addSeenEvidence, type SeenEvidenceByKey, type SeenEvidence } from '../inbox/seen-evidence.js';
import { Listeners } from '../ui/listeners.js';

/** Store of the evidence that the user has seen. It is kept when the user changes pages within the session. */
export class SeenEvidenceStore {
  private seen: SeenEvidenceByKey = new Map();
  private readonly listeners = new Listeners();

  /** Returns the current map. Only `add` replaces it. */
  readonly getSnapshot = (): SeenEvidenceByKey => this.seen;

  readonly subscribe = this.listeners.subscribe;

  readonly add = (key: string, update: Partial<SeenEvidence>): void => {
    const previous = this.seen;
    this.seen = addSeenEvidence(previous, key, update);
    if (this.seen !== previous) this.listeners.notify();
  };
}

const stores = new WeakMap<Client, SeenEvidenceStore>();

/** Returns the store of a session. */
export function getSeenEvidenceStore(client: Client): SeenEvidenceStore {
  const store = stores.get(client) ?? new SeenEvidenceStore();
  stores.set(client, store);
  return store;
}
