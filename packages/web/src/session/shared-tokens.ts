import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { decodeBase64 } from './base64.js';
import { parseTokens, serializeTokens, type TabSignIn, type Tokens } from './tab-sign-in.js';

const DATABASE = `countersign:sign-ins:${BASE_PATH}`;
const STORE = 'tokens';

/** After this long without a renewal no tab has the sign-in any more, in ms. */
const KEPT_MS = 30 * 86_400_000;

/** Tokens that only tabs with the key of the sign-in can read (AES-GCM); without `data` its user has signed out. */
interface Entry {
  readonly at: number;
  readonly iv?: Uint8Array<ArrayBuffer>;
  readonly data?: ArrayBuffer;
}

/**
 * Returns the newest tokens that a tab of this sign-in has stored; `ended`: its user has signed out in one of them;
 * `undefined`: no tab has renewed them yet.
 *
 * Not the local storage: a tab may read that late, IndexedDB is the same for all tabs once a transaction is complete.
 */
export async function readSharedTokens({ id, key }: TabSignIn): Promise<Tokens | 'ended' | undefined> {
  const entry = await inStore('readonly', (store) => store.get(id) as IDBRequest<Entry | undefined>);
  if (entry === undefined) return undefined;
  const { iv, data } = entry;
  if (iv === undefined || data === undefined) return 'ended';
  const text = await crypto.subtle.decrypt(algorithm(id, iv), await importKey(key), data);
  return parseTokens(new TextDecoder().decode(text));
}

/** Stores tokens for the other tabs of the sign-in. */
export async function writeSharedTokens(signIn: TabSignIn): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(serializeTokens(signIn));
  const data = await crypto.subtle.encrypt(algorithm(signIn.id, iv), await importKey(signIn.key), text);
  await put(signIn.id, { at: Date.now(), iv, data });
}

/** Removes the tokens of a sign-in, and has the other tabs know that its user has signed out. */
export async function endSharedTokens(id: string): Promise<void> {
  await put(id, { at: Date.now() });
}

function put(id: string, entry: Entry): Promise<unknown> {
  return inStore('readwrite', (store) => {
    const cursor = store.openCursor();
    cursor.onsuccess = () => {
      if (cursor.result === null) return;
      if ((cursor.result.value as Entry).at < entry.at - KEPT_MS) cursor.result.delete();
      cursor.result.continue();
    };
    return store.put(entry, id);
  });
}

/** Makes a request, and waits until its transaction is complete. */
async function inStore<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const request = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'));
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened.'));
  });
}

/** An entry counts for its own sign-in only. */
function algorithm(id: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(id) };
}

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
