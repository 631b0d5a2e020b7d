import type { Client } from '@countersign/contract';
import { BASE_URL } from '../app/base-url.js';
import { useClient } from '../api/client-context.js';
import { useSession } from '../session/session.js';
import { VisitStore } from './visit-store.js';

const stores = new WeakMap<Client, VisitStore>();

/** Returns the store of the session, which also learns what other tabs record. */
export function useVisitStore(): VisitStore {
  const client = useClient();
  const { subject } = useSession().me;
  const known = stores.get(client);
  if (known !== undefined) return known;
  const key = `countersign:visits:${BASE_URL}:${subject}`;
  const store = new VisitStore(localStorage, key);
  // A store lives as long as its page. Without a key, the whole storage was cleared.
  addEventListener('storage', (event) => {
    if (event.key === key) store.readStored();
  });
  stores.set(client, store);
  return store;
}
