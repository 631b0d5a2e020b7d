import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { decodeBase64 } from './base64.js';
import { withTimeout } from './with-timeout.js';
import { parseTokens, serializeTokens, type TabSignIn, type Tokens } from './tab-sign-in.js';

const DATABASE_NAME = `countersign:sign-ins:${BASE_PATH}`;
const STORE_NAME = 'tokens';

/** Age, in ms, after which an entry is removed: no open tab uses a sign-in that was not renewed for this long. */
const MAX_AGE_MS = 30 * 86_400_000;

/** Time limit for a database request, in ms. Renewals and sign-outs wait for these requests. */
const DATABASE_TIMEOUT_MS = 3_000;

/** Tokens, encrypted with the key of the sign-in (AES-GCM). If `data` is missing, the user has signed out. */
interface Entry {
  readonly at: number;
  readonly iv?: Uint8Array<ArrayBuffer>;
  readonly data?: ArrayBuffer;
}

/**
 * Returns the newest tokens that a tab of this sign-in has stored; `ended` if the user has signed out in one of them;
 * `undefined` if no tab has renewed them yet.
 *
 * The tokens are not in local storage, where a tab may see changes late. In IndexedDB, all tabs see a change once its
 * transaction is complete.
 */
export async function readSharedTokens(signIn: TabSignIn): Promise<Tokens | 'ended' | undefined> {
  const entry = await runInStore('readonly', (store) => store.get(signIn.id) as IDBRequest<Entry | undefined>);
  return entry === undefined ? undefined : decrypt(entry, signIn);
}

async function decrypt({ iv, data }: Entry, { id, key }: TabSignIn): Promise<Tokens | 'ended' | undefined> {
  if (iv === undefined || data === undefined) return 'ended';
  const text = await crypto.subtle.decrypt(createAlgorithm(id, iv), await importKey(key), data);
  return parseTokens(new TextDecoder().decode(text));
}

/**
 * Stores tokens for the other tabs of the sign-in.
 *
 * @returns whether the tokens were stored; `false` if the user has signed out in the meantime
 */
export async function writeSharedTokens(signIn: TabSignIn): Promise<boolean> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(serializeTokens(signIn));
  const data = await crypto.subtle.encrypt(createAlgorithm(signIn.id, iv), await importKey(signIn.key), text);
  const previous = await replaceEntry(signIn.id, { at: Date.now(), iv, data });
  return previous === undefined || previous.data !== undefined;
}

/**
 * Removes the tokens of a sign-in and marks it as signed out for the other tabs.
 *
 * @returns the tokens that were stored; `undefined` if there were none
 */
export async function endSharedTokens(signIn: TabSignIn): Promise<Tokens | undefined> {
  const previous = await replaceEntry(signIn.id, { at: Date.now() });
  const tokens = previous === undefined ? undefined : await decrypt(previous, signIn);
  return tokens === 'ended' ? undefined : tokens;
}

/**
 * Stores an entry unless the existing entry marks the sign-in as ended, and removes old entries.
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
 * @throws {Error} if the request fails or takes too long
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
    const request = indexedDB.open(DATABASE_NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE_NAME);
    request.onsuccess = () => {
      // Otherwise, a page that deletes the database would wait for this connection.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('The database cannot be opened.'));
  });
}

/** Returns encryption parameters that bind an entry to the id of its sign-in. */
function createAlgorithm(id: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(id) };
}

function importKey(key: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', decodeBase64(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
}
