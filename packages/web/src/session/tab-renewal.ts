import { isTemporaryOAuthError, type RenewalSchedule } from '@countersign/contract';
import { ErrorResponse, User, type UserManager } from 'oidc-client-ts';
import { withTimeout } from './with-timeout.js';
import { revokeTokens } from './revoke-tokens.js';
import { endSharedTokens, readSharedTokens, writeSharedTokens } from './shared-tokens.js';
import {
  readTabSignIn,
  toReceivedTokens,
  removeTabSignIn,
  getTokenTimes,
  writeTabSignIn,
  type TabSignIn,
} from './tab-sign-in.js';

/** Time limits of a renewal, in ms: for the response of the issuer, and for the lock, which another tab may hold. */
const [RESPONSE_TIMEOUT_MS, LOCK_TIMEOUT_MS] = [20_000, 30_000];

/**
 * Renews the tokens of a sign-in once for all tabs that share it, such as duplicates. An issuer that rotates refresh
 * tokens ends the sign-in if one is used twice (RFC 9700, 4.14.2). Therefore, a tab renews only while it holds the lock
 * of the sign-in. It first checks whether another tab has already renewed the tokens, and stores the new tokens for the
 * other tabs before it releases the lock.
 *
 * Pages that may not use locks (HTTP to another machine) cannot sign in at an issuer either, because both PKCE and
 * locks need a secure context.
 */
export class TabRenewal {
  constructor(
    private readonly manager: UserManager,
    private readonly schedule: RenewalSchedule,
  ) {}

  /**
   * Renews the tokens of this tab, or adopts the tokens that another tab has received.
   *
   * @param refusedToken access token that the server refuses, which must be replaced before it expires
   * @returns the sign-in that this tab now stores; `undefined` if the issuer refuses, or the user has signed out
   * @throws {Error} if the renewal failed but may succeed later
   */
  async renew(refusedToken?: string): Promise<TabSignIn | undefined> {
    const storedSignIn = readTabSignIn();
    if (storedSignIn === undefined) return undefined;
    try {
      return await withSignInLock(storedSignIn, () => this.renewExclusively(storedSignIn.id, refusedToken));
    } catch (error) {
      // An error without an OAuth error code comes from the network, a proxy or a lock that was held too long. It may
      // be temporary.
      if (!(error instanceof ErrorResponse) || isTemporaryOAuthError(error.error ?? '')) throw error;
      forgetRefreshToken(storedSignIn.id);
      return undefined;
    }
  }

  private async renewExclusively(id: string, refusedToken: string | undefined): Promise<TabSignIn | undefined> {
    const storedSignIn = readTabSignIn();
    // The user has signed in or out while this tab waited for the lock.
    if (storedSignIn?.id !== id) return storedSignIn;
    const newestSignIn = await adoptNewestTokens(storedSignIn);
    if (newestSignIn === undefined) {
      forgetRefreshToken(storedSignIn.id);
      return undefined;
    }
    if (newestSignIn.user.access_token !== refusedToken && !this.schedule.isDue(getTokenTimes(newestSignIn)))
      return newestSignIn;
    const { refresh_token: refreshToken } = newestSignIn.user;
    if (!refreshToken) return undefined;
    await this.manager.storeUser(newestSignIn.user);
    // The library limits the time until a response starts, not until it ends.
    const user = await withTimeout(this.manager.signinSilent(), RESPONSE_TIMEOUT_MS);
    if (user === null) return undefined;
    // If the issuer sends no new refresh token, the old one stays valid (RFC 6749, 6).
    const newUser = new User({ ...user, refresh_token: user.refresh_token || refreshToken });
    const renewedSignIn = { ...newestSignIn, generation: newestSignIn.generation + 1, ...toReceivedTokens(newUser) };
    // Stores the tokens for the other tabs first, because that does not depend on this tab. If the browser cannot store
    // them, each tab renews its own tokens.
    if (!(await writeSharedTokens(renewedSignIn).catch(() => true))) {
      forgetRefreshToken(storedSignIn.id);
      void revokeTokens(this.manager, newUser);
      return undefined;
    }
    storeIfCurrent(renewedSignIn);
    return renewedSignIn;
  }
}

/**
 * Ends the sign-in in all its tabs. A tab that is renewing now revokes the tokens it receives.
 *
 * @returns its newest tokens, for revocation; `undefined` if no user is signed in
 */
export async function endSignIn(): Promise<User | undefined> {
  const storedSignIn = readTabSignIn();
  if (storedSignIn === undefined) return undefined;
  removeTabSignIn();
  const sharedTokens = await endSharedTokens(storedSignIn).catch(() => undefined);
  return sharedTokens !== undefined && sharedTokens.generation > storedSignIn.generation
    ? sharedTokens.user
    : storedSignIn.user;
}

/**
 * Runs an action while this tab holds the lock of the sign-in.
 *
 * @throws {DOMException} if another tab holds the lock for too long
 */
async function withSignInLock<T>({ id }: TabSignIn, action: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(LOCK_TIMEOUT_MS);
  return (await navigator.locks.request(`countersign:sign-in:${id}`, { signal }, action)) as Promise<T>;
}

/**
 * Returns the newest tokens of the sign-in and stores them in this tab; `undefined` if the user has signed out in
 * another tab.
 */
async function adoptNewestTokens(storedSignIn: TabSignIn): Promise<TabSignIn | undefined> {
  const sharedTokens = await readSharedTokens(storedSignIn).catch(() => undefined);
  if (sharedTokens === 'ended') return undefined;
  if (sharedTokens === undefined || sharedTokens.generation <= storedSignIn.generation) return storedSignIn;
  const newestSignIn = { ...storedSignIn, ...sharedTokens };
  storeIfCurrent(newestSignIn);
  return newestSignIn;
}

/** Removes a refresh token that the issuer refused permanently; the access token is used until it expires. */
function forgetRefreshToken(id: string): void {
  const storedSignIn = readTabSignIn();
  if (storedSignIn?.id === id)
    writeTabSignIn({ ...storedSignIn, user: new User({ ...storedSignIn.user, refresh_token: undefined }) });
}

/** Stores tokens in this tab, unless the user has signed out here or signed in again since. */
function storeIfCurrent(signIn: TabSignIn): void {
  if (readTabSignIn()?.id !== signIn.id) return;
  try {
    writeTabSignIn(signIn);
  } catch {
    // The storage of the tab is full. The next renewal reads the tokens from the shared storage.
  }
}
