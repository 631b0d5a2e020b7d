import type { Client } from '@countersign/contract';
import { BASE_URL } from '../app/base-url.js';
import { useClient } from '../api/client-context.js';
import { useSession } from '../session/session.js';
import { VisitStore } from './visit-store.js';

const stores = new WeakMap<Client, VisitStore>();

/** Returns the store of the session. */
export function useVisitStore(): VisitStore {
  const client = useClient();
  const { subject } = useSession().me;
  const store = stores.get(client) ?? new VisitStore(localStorage, `countersign:visits:${BASE_URL}:${subject}`);
  stores.set(client, store);
  return store;
}
