import type { Approval, Client } from '@countersign/contract';
import type { SeenByKey } from '../inbox/index.js';
import { Listeners } from '../ui/listeners.js';

interface Together {
  /** The approvals as displayed when they were selected. */
  readonly chosen: readonly Approval[];
  /** What had been seen of the evidence when the dialog opened. A retry reports the same. */
  readonly seen: SeenByKey;
  /** Called when the dialog is closed. */
  onClosed(): void;
}

/** The approvals that the user is about to approve together. The store outlives the page: going back undoes nothing. */
export class TogetherStore {
  private together: Together | undefined;
  private readonly listeners = new Listeners();

  readonly current = (): Together | undefined => this.together;

  readonly subscribe = this.listeners.subscribe;

  begin(chosen: readonly Approval[], seen: SeenByKey, onClosed: () => void): void {
    this.set({ chosen, seen, onClosed });
  }

  end(): void {
    const before = this.together;
    this.set(undefined);
    before?.onClosed();
  }

  private set(together: Together | undefined): void {
    this.together = together;
    this.listeners.notify();
  }
}

const stores = new WeakMap<Client, TogetherStore>();

/** Returns the store of a session. */
export function togetherStoreOf(client: Client): TogetherStore {
  const store = stores.get(client) ?? new TogetherStore();
  stores.set(client, store);
  return store;
}
