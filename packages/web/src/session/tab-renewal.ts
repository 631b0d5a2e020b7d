import { isTemporaryOAuthError, type RenewalSchedule } from '@countersign/contract';
import { ErrorResponse, User, type UserManager } from 'oidc-client-ts';
import { inTime } from './in-time.js';
import { revokeTokens } from './revoke-tokens.js';
import { endSharedTokens, readSharedTokens, writeSharedTokens } from './shared-tokens.js';
import { readTabSignIn, received, removeTabSignIn, tokenTimes, writeTabSignIn, type TabSignIn } from './tab-sign-in.js';

/** How long a renewal waits for the response of the issuer, and for that of another tab, in ms. */
const [RESPONSE_MS, LOCK_WAIT_MS] = [20_000, 30_000];

/**
 * Renews the tokens of a sign-in once for all tabs that share it, as duplicates do. An issuer that rotates refresh tokens
 * ends the sign-in if one comes twice (RFC 9700, 4.14.2): so a tab renews only under the lock of the sign-in, after it has
 * read whether another one already did, and stores the new tokens for the others before it lets go.
 *
 * Pages that may not use locks (HTTP to another machine) cannot sign in at an issuer either, as both PKCE and locks need a
 * secure context.
 */
export class TabRenewal {
  constructor(
    private readonly manager: UserManager,
    private readonly schedule: RenewalSchedule,
  ) {}

  /**
   * Renews the tokens of this tab, or takes those that another tab has renewed.
   *
   * @param refused an access token that the server refuses, which must be replaced although its time is not over
   * @returns what this tab keeps now; `undefined` if the issuer refuses, or the user has signed out
   * @throws {Error} if it may succeed later
   */
  async renew(refused?: string): Promise<TabSignIn | undefined> {
    const held = readTabSignIn();
    if (held === undefined) return undefined;
    try {
      return await exclusively(held, () => this.renewExclusively(held.id, refused));
    } catch (error) {
      // Without a code it is no OAuth response: the network, a proxy, or a lock that is held too long.
      if (!(error instanceof ErrorResponse) || isTemporaryOAuthError(error.error ?? '')) throw error;
      forgetRefreshToken(held.id);
      return undefined;
    }
  }

  private async renewExclusively(id: string, refused: string | undefined): Promise<TabSignIn | undefined> {
    const held = readTabSignIn();
    // Somebody has signed in, or out, while this waited for another tab.
    if (held?.id !== id) return held;
    const newest = await takeNewest(held);
    if (newest === undefined) {
      forgetRefreshToken(held.id);
      return undefined;
    }
    if (newest.user.access_token !== refused && !this.schedule.isDue(tokenTimes(newest))) return newest;
    const { refresh_token: refreshToken } = newest.user;
    if (!refreshToken) return undefined;
    await this.manager.storeUser(newest.user);
    // The library limits how long a response takes to begin, and not how long it takes to end.
    const user = await inTime(this.manager.signinSilent(), RESPONSE_MS);
    if (user === null) return undefined;
    // Where the issuer gives no new one the old one goes on (RFC 6749, 6).
    const given = new User({ ...user, refresh_token: user.refresh_token || refreshToken });
    const renewed = { ...newest, generation: newest.generation + 1, ...received(given) };
    // First, because it does not depend on this tab. If the browser can't store it, each tab is on its own.
    if (!(await writeSharedTokens(renewed).catch(() => true))) {
      forgetRefreshToken(held.id);
      void revokeTokens(this.manager, given);
      return undefined;
    }
    write(renewed);
    return renewed;
  }
}

/**
 * Ends the sign-in for all its tabs. A tab that renews it just now revokes what it gets.
 *
 * @returns its newest tokens, so that they can be revoked; `undefined`: nobody is signed in
 */
export async function endSignIn(): Promise<User | undefined> {
  const held = readTabSignIn();
  if (held === undefined) return undefined;
  removeTabSignIn();
  const shared = await endSharedTokens(held).catch(() => undefined);
  return shared !== undefined && shared.generation > held.generation ? shared.user : held.user;
}

/** Runs a step while no other tab of the sign-in does. @throws {DOMException} after waiting too long */
async function exclusively<T>({ id }: TabSignIn, step: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(LOCK_WAIT_MS);
  return (await navigator.locks.request(`countersign:sign-in:${id}`, { signal }, step)) as Promise<T>;
}

/** Returns the tokens of the tab that has renewed them last, and keeps them here; `undefined` if the user has signed out there. */
async function takeNewest(held: TabSignIn): Promise<TabSignIn | undefined> {
  const shared = await readSharedTokens(held).catch(() => undefined);
  if (shared === 'ended') return undefined;
  if (shared === undefined || shared.generation <= held.generation) return held;
  const newest = { ...held, ...shared };
  write(newest);
  return newest;
}

/** What the issuer has refused for good is not sent again; the access token is used until it ends. */
function forgetRefreshToken(id: string): void {
  const held = readTabSignIn();
  if (held?.id === id) writeTabSignIn({ ...held, user: new User({ ...held.user, refresh_token: undefined }) });
}

/** Keeps tokens in this tab, unless the user has signed out here or signed in again since. */
function write(signIn: TabSignIn): void {
  if (readTabSignIn()?.id !== signIn.id) return;
  try {
    writeTabSignIn(signIn);
  } catch {
    // The storage of the tab is full. They are read from the other one then.
  }
}
