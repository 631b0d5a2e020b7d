import { SessionToken, type StoredToken } from '@countersign/contract';
import type { Log } from '../app/log.js';
import { isRetryable } from './issuer-error.js';
import type { FreshSignIn } from './oidc.js';
import type { TokenSet, TokenVault } from './token-vault.js';

/** Operations of an issuer, implemented by `Oidc`. */
export interface Issuer {
  signIn(signal: AbortSignal, freshSignIn?: FreshSignIn): Promise<TokenSet>;
  renew(tokenSet: TokenSet): Promise<TokenSet>;
  revoke(tokenSet: TokenSet): Promise<void>;
}

/**
 * The tokens for one server. The same object is used each time the server is activated: an issuer that rotates refresh
 * tokens ends the sign-in if a refresh token is used twice (RFC 9700, 4.14.2), and the new tokens are lost if the
 * response is lost. So a renewal is neither started twice nor aborted, even if another server is activated.
 */
export class ServerTokens {
  /** `undefined` until the server has reported its sign-in methods. */
  issuer: Issuer | undefined;
  private readonly sessionToken: SessionToken;

  constructor(
    private readonly serverId: string,
    private readonly vault: TokenVault,
    private readonly log: Log,
  ) {
    this.sessionToken = new SessionToken({ read: () => this.getStoredToken(), renew: () => this.renew() });
  }

  get tokenSet(): TokenSet | undefined {
    return this.vault.get(this.serverId);
  }

  /** Whether the tokens are kept after the application exits. */
  get arePersistent(): boolean {
    return this.vault.isPersistent;
  }

  /** A renewal that must not be aborted; `undefined`: none is in progress. */
  get renewal(): Promise<unknown> | undefined {
    return this.sessionToken.renewal;
  }

  /**
   * Returns the token to send; `undefined`: the user must sign in again.
   *
   * @param refused the token that the server has just refused
   * @throws {ConnectionError} if the issuer is not responding
   */
  get(refused?: string): Promise<string | undefined> {
    return this.sessionToken.get(refused);
  }

  put(tokenSet: TokenSet): void {
    this.vault.put(this.serverId, tokenSet);
  }

  forget(): void {
    this.vault.forget(this.serverId);
  }

  private getStoredToken(): StoredToken | undefined {
    const { tokenSet } = this;
    if (tokenSet === undefined) return undefined;
    const { accessToken, receivedAt, expiresAt, refreshToken } = tokenSet;
    return { accessToken, receivedAt, expiresAt, isRenewable: refreshToken !== null && this.issuer !== undefined };
  }

  private async renew(): Promise<StoredToken | undefined> {
    const { tokenSet, issuer } = this;
    if (tokenSet === undefined || issuer === undefined) return undefined;
    let renewed: TokenSet;
    try {
      renewed = await issuer.renew(tokenSet);
    } catch (error) {
      this.log.failure('session.not_renewed', error);
      if (isRetryable(error)) throw error;
      // A permanently refused refresh token is not sent again; the access token is used until it expires.
      if (this.tokenSet === tokenSet) this.storeTokenSet({ ...tokenSet, refreshToken: null });
      return undefined;
    }
    if (this.tokenSet === tokenSet) this.storeTokenSet(renewed);
    else if (this.tokenSet === undefined)
      // The user has signed out during the renewal. After a new sign-in, tokens are not revoked, because the issuer
      // might treat both as the same session.
      await issuer.revoke(renewed).catch((error: unknown) => this.log.failure('sign_out.not_revoked', error));
    return this.getStoredToken();
  }

  /** Stores the token set. A full disk does not end the session; only the next start requires a new sign-in. */
  private storeTokenSet(tokenSet: TokenSet): void {
    try {
      this.put(tokenSet);
    } catch (error) {
      this.log.failure('session.not_kept', error);
    }
  }
}
