import type { Client } from '@countersign/contract';
import { withSeen, type SeenByKey, type SeenEvidence } from '../inbox/seen-evidence.js';
import { Listeners } from '../ui/listeners.js';

/** What the user has seen of the evidence. It survives a change of page within the session. */
export class SeenStore {
  private seen: SeenByKey = new Map();
  private readonly listeners = new Listeners();

  /** Returns the current map. It is replaced only by add(). */
  readonly all = (): SeenByKey => this.seen;

  readonly subscribe = this.listeners.subscribe;

  readonly add = (key: string, more: Partial<SeenEvidence>): void => {
    const before = this.seen;
    this.seen = withSeen(before, key, more);
    if (this.seen !== before) this.listeners.notify();
  };
}

const stores = new WeakMap<Client, SeenStore>();

/** Returns the store of a session. */
export function seenStoreOf(client: Client): SeenStore {
  const store = stores.get(client) ?? new SeenStore();
  stores.set(client, store);
  return store;
}
