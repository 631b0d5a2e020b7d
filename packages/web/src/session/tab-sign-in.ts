import type { TokenTimes } from '@countersign/contract';
import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { User } from 'oidc-client-ts';
import { encodeBase64 } from './base64.js';

/** Key in session storage, which belongs to this tab and is copied when the user duplicates the tab. */
const STORAGE_KEY = `countersign:sign-in:${BASE_PATH}`;

/** Tokens of a sign-in, as first received or as renewed. */
export interface Tokens {
  /** Number of renewals. */
  readonly generation: number;
  /** Time at which the tokens were received, in ms since the epoch. */
  readonly receivedAt: number;
  readonly user: User;
}

/** Sign-in stored in a tab. */
export interface TabSignIn extends Tokens {
  /**
   * Id of the sign-in in all tabs that share it. It is not secret: any page of this origin can list the names of locks.
   */
  readonly id: string;
  /** Key that encrypts the data that these tabs share (AES-256, in base64). It never leaves them. */
  readonly key: string;
  /**
   * Link to which the issuer redirected this tab, in case the user follows it again; `null` if the sign-in used a
   * popup.
   */
  readonly link: { readonly state: string; readonly returnTo: string } | null;
}

/** Stores a sign-in that has just succeeded. */
export function startTabSignIn(user: User, link: TabSignIn['link']): void {
  const [id, key] = [16, 32].map((bytes) => encodeBase64(crypto.getRandomValues(new Uint8Array(bytes)))) as [
    string,
    string,
  ];
  writeTabSignIn({ id, key, link, generation: 0, ...toReceivedTokens(user) });
}

/**
 * Returns the tokens of a response that has just arrived. Without a valid lifetime, a token is used until the server
 * refuses it.
 *
 * @throws {Error} if the response has no access token
 */
export function toReceivedTokens(user: User): Pick<Tokens, 'receivedAt' | 'user'> {
  if (!isNonEmptyString(user.access_token)) throw new Error('The response of the issuer has no access token.');
  const receivedAt = Date.now();
  const { expires_at: expiresAt } = user;
  const hasValidExpiry = typeof expiresAt === 'number' && Number.isFinite(expiresAt) && expiresAt * 1_000 > receivedAt;
  return { receivedAt, user: hasValidExpiry ? user : new User({ ...user, expires_at: undefined }) };
}

/** Returns the sign-in stored in this tab; `undefined` if there is none or the stored value is invalid. */
export function readTabSignIn(): TabSignIn | undefined {
  const stored = tryParseJson(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<TabSignIn> | null | undefined;
  const tokens = toTokens(stored);
  if (tokens === undefined || typeof stored?.id !== 'string' || typeof stored.key !== 'string') return undefined;
  return { ...tokens, id: stored.id, key: stored.key, link: stored.link ?? null };
}

export function writeTabSignIn({ user, ...rest }: TabSignIn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...rest, user: JSON.parse(user.toStorageString()) as unknown }));
}

export function removeTabSignIn(): void {
  sessionStorage.removeItem(STORAGE_KEY);
}

/** Serializes tokens for another tab. */
export function serializeTokens({ generation, receivedAt, user }: Tokens): string {
  return JSON.stringify({ generation, receivedAt, user: JSON.parse(user.toStorageString()) as unknown });
}

/** Parses the output of `serializeTokens`; `undefined` for any other text. */
export function parseTokens(text: string): Tokens | undefined {
  return toTokens(tryParseJson(text) as Partial<Tokens> | null | undefined);
}

/** Returns when the access token was received and when it expires. */
export function getTokenTimes({ receivedAt, user }: Tokens): TokenTimes {
  return { receivedAt, expiresAt: user.expires_at === undefined ? null : user.expires_at * 1_000 };
}

function toTokens(stored: Partial<Tokens> | null | undefined): Tokens | undefined {
  const { generation, receivedAt, user } = stored ?? {};
  if (typeof generation !== 'number' || typeof receivedAt !== 'number') return undefined;
  return isNonEmptyString(user?.access_token) && user !== undefined
    ? { generation, receivedAt, user: new User(user) }
    : undefined;
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
