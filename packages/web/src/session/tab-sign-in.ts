import type { TokenTimes } from '@countersign/contract';
import { BASE_PATH } from '@countersign/inbox-ui/app/base-url';
import { User } from 'oidc-client-ts';
import { encodeBase64 } from './base64.js';

/** In the session storage: of this tab, and copied when the tab is duplicated. */
const STORE = `countersign:sign-in:${BASE_PATH}`;

/** The tokens of a sign-in as they were after one of its renewals. */
export interface Tokens {
  /** How often they were renewed. */
  readonly generation: number;
  /** In ms since the epoch. */
  readonly receivedAt: number;
  readonly user: User;
}

/** What a tab keeps of its sign-in. */
export interface TabSignIn extends Tokens {
  /** Names the sign-in to all tabs that share it. No secret: any page of this origin can list locks by name. */
  readonly id: string;
  /** Encrypts what these tabs share (AES-256, in base64). Never leaves them. */
  readonly key: string;
  /** The link that the issuer sent this tab back to, which may be followed again; `null`: another window had it. */
  readonly link: { readonly state: string; readonly returnTo: string } | null;
}

/** Starts to keep a sign-in that has just succeeded. */
export function startTabSignIn(user: User, link: TabSignIn['link']): void {
  const [id, key] = [16, 32].map((bytes) => encodeBase64(crypto.getRandomValues(new Uint8Array(bytes)))) as [
    string,
    string,
  ];
  writeTabSignIn({ id, key, link, generation: 0, ...received(user) });
}

/**
 * Returns the tokens of a response that has just arrived. One without a lifetime, or with none that can be one, is used until
 * the server refuses it.
 *
 * @throws {Error} if the response has no access token
 */
export function received(user: User): Pick<Tokens, 'receivedAt' | 'user'> {
  if (!isText(user.access_token)) throw new Error('The response of the issuer has no access token.');
  const receivedAt = Date.now();
  const { expires_at: expiresAt } = user;
  const isLifetime = typeof expiresAt === 'number' && Number.isFinite(expiresAt) && expiresAt * 1_000 > receivedAt;
  return { receivedAt, user: isLifetime ? user : new User({ ...user, expires_at: undefined }) };
}

/** Returns what this tab keeps; `undefined` if nothing, or if something else has written there. */
export function readTabSignIn(): TabSignIn | undefined {
  const stored = parse(sessionStorage.getItem(STORE) ?? 'null') as Partial<TabSignIn> | null | undefined;
  const tokens = toTokens(stored);
  if (tokens === undefined || typeof stored?.id !== 'string' || typeof stored.key !== 'string') return undefined;
  return { ...tokens, id: stored.id, key: stored.key, link: stored.link ?? null };
}

export function writeTabSignIn({ user, ...rest }: TabSignIn): void {
  sessionStorage.setItem(STORE, JSON.stringify({ ...rest, user: JSON.parse(user.toStorageString()) as unknown }));
}

export function removeTabSignIn(): void {
  sessionStorage.removeItem(STORE);
}

/** Returns tokens as text for another tab. */
export function serializeTokens({ generation, receivedAt, user }: Tokens): string {
  return JSON.stringify({ generation, receivedAt, user: JSON.parse(user.toStorageString()) as unknown });
}

/** Reads what `serializeTokens` wrote; `undefined` if it is something else. */
export function parseTokens(text: string): Tokens | undefined {
  return toTokens(parse(text) as Partial<Tokens> | null | undefined);
}

/** When the access token was received, and when it ends. */
export function tokenTimes({ receivedAt, user }: Tokens): TokenTimes {
  return { receivedAt, expiresAt: user.expires_at === undefined ? null : user.expires_at * 1_000 };
}

function toTokens(stored: Partial<Tokens> | null | undefined): Tokens | undefined {
  const { generation, receivedAt, user } = stored ?? {};
  if (typeof generation !== 'number' || typeof receivedAt !== 'number') return undefined;
  return isText(user?.access_token) && user !== undefined
    ? { generation, receivedAt, user: new User(user) }
    : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
