import { SessionToken, type HeldToken } from '@countersign/contract';
import type { Log } from '../app/log.js';
import { mayPass } from './issuer-error.js';
import type { FreshSignIn } from './oidc.js';
import type { Grant, TokenVault } from './token-vault.js';

/** What an issuer is asked; `Oidc`. */
export interface Issuer {
  signIn(signal: AbortSignal, fresh?: FreshSignIn): Promise<Grant>;
  renew(grant: Grant): Promise<Grant>;
  revoke(grant: Grant): Promise<void>;
}

/**
 * The tokens for one server: one object, however often that server is shown. An issuer that rotates refresh tokens ends the
 * sign-in if one comes twice (RFC 9700, 4.14.2), and also if the response to one is lost; so a renewal is neither begun twice
 * nor given up, whichever server is shown meanwhile.
 */
export class ServerTokens {
  /** Unknown until the server has said how one signs in. */
  issuer: Issuer | undefined;
  private readonly token: SessionToken;

  constructor(
    private readonly serverId: string,
    private readonly vault: TokenVault,
    private readonly log: Log,
  ) {
    this.token = new SessionToken({ held: () => this.held(), renew: () => this.renew() });
  }

  get grant(): Grant | undefined {
    return this.vault.get(this.serverId);
  }

  /** Whether the tokens outlive the application. */
  get areKept(): boolean {
    return this.vault.keeps;
  }

  /** A renewal that must not be given up; `undefined`: none is under way. */
  get renewal(): Promise<unknown> | undefined {
    return this.token.renewal;
  }

  /**
   * Returns the token to send; `undefined`: one has to sign in again.
   *
   * @param refused the token that the server has just refused
   * @throws {ConnectionError} if the issuer is not responding
   */
  get(refused?: string): Promise<string | undefined> {
    return this.token.get(refused);
  }

  put(grant: Grant): void {
    this.vault.put(this.serverId, grant);
  }

  forget(): void {
    this.vault.forget(this.serverId);
  }

  private held(): HeldToken | undefined {
    const { grant } = this;
    if (grant === undefined) return undefined;
    const { accessToken, receivedAt, expiresAt, refreshToken } = grant;
    return { accessToken, receivedAt, expiresAt, isRenewable: refreshToken !== null && this.issuer !== undefined };
  }

  private async renew(): Promise<HeldToken | undefined> {
    const { grant, issuer } = this;
    if (grant === undefined || issuer === undefined) return undefined;
    let renewed: Grant;
    try {
      renewed = await issuer.renew(grant);
    } catch (error) {
      this.log.failure('session.not_renewed', error);
      if (mayPass(error)) throw error;
      // What is refused for good is not sent again; the access token is used until it ends.
      if (this.grant === grant) this.keep({ ...grant, refreshToken: null });
      return undefined;
    }
    if (this.grant === grant) this.keep(renewed);
    else if (this.grant === undefined)
      // Its user has signed out meanwhile. Had they signed in again, the issuer might count it as the same session.
      await issuer.revoke(renewed).catch((error: unknown) => this.log.failure('sign_out.not_revoked', error));
    return this.held();
  }

  /** A full disk ends no session; only the next start of the application has to sign in again. */
  private keep(grant: Grant): void {
    try {
      this.put(grant);
    } catch (error) {
      this.log.failure('session.not_kept', error);
    }
  }
}
