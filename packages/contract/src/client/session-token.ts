import { ConnectionError } from './connection-error.js';
import { RenewalSchedule, type TokenTimes } from './renewal-schedule.js';

/** Time after a replacement in which the new token is not replaced if the server refuses it too, in ms. */
const REPLACEMENT_COOLDOWN_MS = 60_000;

/** The current access token of a session. */
export interface StoredToken extends TokenTimes {
  readonly accessToken: string;
  /** Whether there is a renewal credential that the issuer has not refused. */
  readonly isRenewable: boolean;
}

/** Store of the tokens of a session, which also requests new ones from the issuer. */
export interface TokenStore {
  /** Returns the current token; `undefined` if there is none. */
  read(): StoredToken | undefined;
  /**
   * Renews the current token. Not called concurrently.
   *
   * @param refusedToken a token that the server refuses, and that must be replaced before it expires
   * @returns the new current token; `undefined` if the issuer refused permanently
   * @throws {Error} if a retry may succeed
   */
  renew(refusedToken?: string): Promise<StoredToken | undefined>;
}

/**
 * The access token of a session, renewed after a share of its lifetime, and once when the server refuses it. Only two
 * things end a session: a refusal by the issuer (RFC 6749, 5.2), and a server that also refuses the renewed token. An
 * unreachable issuer counts as a broken connection, which may recover.
 */
export class SessionToken {
  private pendingRenewal: Promise<StoredToken | undefined> | undefined;
  private replacement: { readonly token: string; readonly at: number } | undefined;

  constructor(
    private readonly store: TokenStore,
    private readonly schedule: RenewalSchedule = new RenewalSchedule(),
  ) {}

  /** The renewal in progress; `undefined` if there is none. */
  get renewal(): Promise<unknown> | undefined {
    return this.pendingRenewal;
  }

  /**
   * Returns the token to send; `undefined` if the session has ended. While a token is valid, the call does not wait for
   * the issuer. Implements `TokenProvider`.
   *
   * @param refusedToken the token that the server has just refused
   * @throws {ConnectionError} if the token must be renewed and the issuer is not responding
   */
  async get(refusedToken?: string): Promise<string | undefined> {
    const storedToken = this.store.read();
    if (storedToken === undefined) return undefined;
    if (refusedToken !== undefined) return this.replaceRefused(storedToken, refusedToken);
    const isValid = this.schedule.isValid(storedToken);
    if (isValid && !this.schedule.isDue(storedToken)) return storedToken.accessToken;
    if (!storedToken.isRenewable) return isValid ? storedToken.accessToken : undefined;
    if (!isValid) return (await this.renew(storedToken))?.accessToken;
    void this.renew(storedToken).catch(() => undefined);
    return storedToken.accessToken;
  }

  /**
   * Replaces a token that the server refused before its expiry, because the server's clock is ahead or the session has
   * ended.
   */
  private async replaceRefused(storedToken: StoredToken, refusedToken: string): Promise<string | undefined> {
    if (storedToken.accessToken !== refusedToken) return storedToken.accessToken;
    if (
      !storedToken.isRenewable ||
      (this.replacement?.token === refusedToken && this.schedule.now() < this.replacement.at + REPLACEMENT_COOLDOWN_MS)
    )
      return undefined;
    const token = (await this.renew(storedToken, refusedToken))?.accessToken;
    if (token === undefined || token === refusedToken) return undefined;
    this.replacement = { token, at: this.schedule.now() };
    return token;
  }

  /** Renews once for all concurrent callers, because a refresh token can be used only once. */
  private renew(storedToken: StoredToken, refusedToken?: string): Promise<StoredToken | undefined> {
    this.pendingRenewal ??= this.renewOnce(storedToken, refusedToken).finally(() => {
      this.pendingRenewal = undefined;
    });
    return this.pendingRenewal;
  }

  private async renewOnce(
    storedToken: StoredToken,
    refusedToken: string | undefined,
  ): Promise<StoredToken | undefined> {
    if (this.schedule.isPaused(storedToken))
      throw new ConnectionError(new Error('the last renewal failed and the next attempt is delayed'), 'issuer');
    try {
      const renewed = await this.store.renew(refusedToken);
      this.schedule.recordSuccess();
      return renewed;
    } catch (error) {
      this.schedule.recordFailure();
      throw new ConnectionError(error, 'issuer');
    }
  }
}
