import { isTemporaryOAuthError, type RenewalSchedule } from '@countersign/contract';
import { ErrorResponse, User, type UserManager } from 'oidc-client-ts';
import { endSharedTokens, readSharedTokens, writeSharedTokens } from './shared-tokens.js';
import { readTabSignIn, removeTabSignIn, tokenTimes, writeTabSignIn, type TabSignIn } from './tab-sign-in.js';

/** How long a renewal waits for that of another tab, in ms: longer than the requests of one take until they time out. */
const LOCK_WAIT_MS = 30_000;

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
   * @returns `undefined` if the issuer refuses, or the user has signed out
   * @throws {Error} if it may succeed later
   */
  async renew(refused?: string): Promise<TabSignIn | undefined> {
    const held = readTabSignIn();
    if (held === undefined) return undefined;
    try {
      return await exclusively(held, () => this.renewExclusively(refused));
    } catch (error) {
      // Without a code it is no OAuth response: the network, a proxy, or a lock that is held too long.
      if (!(error instanceof ErrorResponse) || isTemporaryOAuthError(error.error ?? '')) throw error;
      forgetRefreshToken(held.id);
      return undefined;
    }
  }

  /** Ends the sign-in for all its tabs. @returns its newest tokens, so that they can be revoked */
  async end(): Promise<TabSignIn | undefined> {
    const held = readTabSignIn();
    if (held === undefined) return undefined;
    const end = async (): Promise<TabSignIn> => {
      const newest = (await takeNewest(held)) ?? held;
      await endSharedTokens(held.id).catch(() => undefined);
      return newest;
    };
    // What is being renewed elsewhere would be forgotten, and not revoked.
    const ended = await exclusively(held, end).catch(end);
    removeTabSignIn();
    return ended;
  }

  private async renewExclusively(refused: string | undefined): Promise<TabSignIn | undefined> {
    const held = readTabSignIn();
    if (held === undefined) return undefined;
    const newest = await takeNewest(held);
    if (newest === undefined) {
      forgetRefreshToken(held.id);
      return undefined;
    }
    if (newest.user.access_token !== refused && !this.schedule.isDue(tokenTimes(newest))) return newest;
    if (newest.user.refresh_token === undefined) return undefined;
    await this.manager.storeUser(newest.user);
    const user = await this.manager.signinSilent();
    if (user === null) return undefined;
    const renewed = { ...newest, generation: newest.generation + 1, receivedAt: Date.now(), user };
    write(renewed);
    // A browser that stores nothing leaves each tab to itself.
    await writeSharedTokens(renewed).catch(() => undefined);
    return renewed;
  }
}

/** Runs a step while no other tab of the sign-in does. @throws {DOMException} after waiting too long */
function exclusively<T>({ id }: TabSignIn, step: () => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(LOCK_WAIT_MS);
  return navigator.locks.request(`countersign:sign-in:${id}`, { signal }, step) as Promise<T>;
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
  if (readTabSignIn()?.id === signIn.id) writeTabSignIn(signIn);
}
