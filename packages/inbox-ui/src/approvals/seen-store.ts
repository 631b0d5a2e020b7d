import type { Client } from '@countersign/contract';
import { withSeen, type SeenByKey, type SeenEvidence } from '../inbox/index.js';
import { Listeners } from '../ui/listeners.js';

/** What has been seen of evidence. It outlives the page: what was shown remains shown, whatever is looked at in between. */
export class SeenStore {
  private seen: SeenByKey = new Map();
  private readonly listeners = new Listeners();

  /** The same map as long as nothing changes. */
  readonly all = (): SeenByKey => this.seen;

  readonly subscribe = this.listeners.subscribe;

  readonly add = (key: string, more: Partial<SeenEvidence>): void => {
    this.seen = withSeen(this.seen, key, more);
    this.listeners.notify();
  };
}

const stores = new WeakMap<Client, SeenStore>();

/** What has been seen in a session. */
export function seenStoreOf(client: Client): SeenStore {
  const store = stores.get(client) ?? new SeenStore();
  stores.set(client, store);
  return store;
}
