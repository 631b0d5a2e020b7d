import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { decodeBase64 } from './base64.js';
import { withTimeout } from './with-timeout.js';
import { parseTokens, serializeTokens, type TabSignIn, type Tokens } from './tab-sign-in.js';

const DATABASE = `countersign:sign-ins:${BASE_PATH}`;
const STORE_NAME = 'tokens';

/** Time without a renewal, in ms, after which no tab has the sign-in any longer. */
const MAX_AGE_MS = 30 * 86_400_000;

/** Time limit of the database, in ms: a renewal and a sign-out wait for it. */
const DATABASE_TIMEOUT_MS = 3_000;

/** Tokens that only tabs with the key of the sign-in can read (AES-GCM); without `data` the user has signed out. */
interface Entry {
  readonly at: number;
  readonly iv?: Uint8Array<ArrayBuffer>;
  readonly data?: ArrayBuffer;
}

/**
 * Returns the newest tokens that a tab of this sign-in has stored; `ended` if the user has signed out in one of them;
 * `undefined` if no tab has renewed them yet.
 *
 * Not in local storage: a tab may see changes there late, while IndexedDB is the same for all tabs once a transaction
 * is complete.
 */
export async function readSharedTokens(signIn: TabSignIn): Promise<Tokens | 'ended' | undefined> {
  const entry = await runInStore('readonly', (store) => store.get(signIn.id) as IDBRequest<Entry | undefined>);
  return entry === undefined ? undefined : decrypt(entry, signIn);
}

async function decrypt({ iv, data }: Entry, { id, key }: TabSignIn): Promise<Tokens | 'ended' | undefined> {
  if (iv === undefined || data === undefined) return 'ended';
  const text = await crypto.subtle.decrypt(algorithm(id, iv), await importKey(key), data);
  return parseTokens(new TextDecoder().decode(text));
}

/**
 * Stores tokens for the other tabs of the sign-in.
 *
 * @returns `false` if not stored, because the user has signed out in the meantime
 */
export async function writeSharedTokens(signIn: TabSignIn): Promise<boolean> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(serializeTokens(signIn));
  const data = await crypto.subtle.encrypt(algorithm(signIn.id, iv), await importKey(signIn.key), text);
  const previous = await replaceEntry(signIn.id, { at: Date.now(), iv, data });
  return previous === undefined || previous.data !== undefined;
}

/**
 * Removes the tokens of a sign-in and marks it as signed out for the other tabs.
 *
 * @returns the stored tokens, or `undefined`
 */
export async function endSharedTokens(signIn: TabSignIn): Promise<Tokens | undefined> {
  const previous = await replaceEntry(signIn.id, { at: Date.now() });
  const tokens = previous === undefined ? undefined : await decrypt(previous, signIn);
  return tokens === 'ended' ? undefined : tokens;
}

/**
 * Stores an entry unless the existing one ends the sign-in, and removes old entries.
 *
 * @returns the previous entry
 */
function replaceEntry(id: string, entry: Entry): Promise<Entry | undefined> {
  return runInStore('readwrite', (store) => {
    const previousRequest = store.get(id) as IDBRequest<Entry | undefined>;
    previousRequest.onsuccess = () => {
      const { result } = previousRequest;
      if (result === undefined || result.data !== undefined) store.put(entry, id);
    };
    const cursor = store.openCursor();
    cursor.onsuccess = () => {
      if (cursor.result === null) return;
      const isOld = (cursor.result.value as Entry).at < entry.at - MAX_AGE_MS;
      if (isOld && cursor.result.primaryKey !== id) cursor.result.delete();
      cursor.result.continue();
    };
    return previousRequest;
  });
}

/**
 * Executes a request and waits until its transaction is complete.
 *
 * @throws {Error} the browser takes too long
 */
function runInStore<T>(mode: IDBTransactionMode, createRequest: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return withTimeout(runTransaction(mode, createRequest), DATABASE_TIMEOUT_MS);
}

async function runTransaction<T>(
  mode: IDBTransactionMode,
  createRequest: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await openDatabase();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE_NAME, mode);
      const request = createRequest(transaction.objectStore(STORE_NAME));
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
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
    request.onsuccess = () => {
      // Another page may delete the database and would wait for this one.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened.'));
  });
}

/** Binds an entry to its sign-in. */
function algorithm(id: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(id) };
}

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
