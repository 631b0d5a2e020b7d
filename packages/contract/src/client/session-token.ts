import { ConnectionError } from './connection-error.js';
import { RenewalSchedule, type TokenTimes } from './renewal-schedule.js';

/** Time within which a replacement token that is refused is not replaced again, in ms. */
const REPLACED_MS = 60_000;

/** The current access token of a session. */
export interface HeldToken extends TokenTimes {
  readonly accessToken: string;
  /** Whether there is a renewal credential that the issuer has not refused. */
  readonly isRenewable: boolean;
}

/** Holds the tokens of a session, and requests new ones from the issuer. */
export interface TokenHolder {
  /** Returns the current token; `undefined` if there is none. */
  held(): HeldToken | undefined;
  /**
   * Renews the current token. Not called concurrently.
   *
   * @param refused a token that the server refuses, and that must be replaced before it expires
   * @returns the new current token; `undefined` if the issuer refused permanently
   * @throws {Error} if a retry may succeed
   */
  renew(refused?: string): Promise<HeldToken | undefined>;
}

/**
 * The access token of a session, renewed at a share of its lifetime, and once when the server refuses it. Only two
 * things end a session: a refusal by the issuer (RFC 6749, 5.2), and a server that also refuses the renewed token. An
 * unreachable issuer counts as a broken connection, which may recover.
 */
export class SessionToken {
  private running: Promise<HeldToken | undefined> | undefined;
  private replacement: { readonly token: string; readonly at: number } | undefined;

  constructor(
    private readonly holder: TokenHolder,
    private readonly schedule: RenewalSchedule = new RenewalSchedule(),
  ) {}

  /** The renewal in progress; `undefined` if there is none. */
  get renewal(): Promise<unknown> | undefined {
    return this.running;
  }

  /**
   * Returns the token to send; `undefined` if the session has ended. While a token is valid, the call does not wait for
   * the issuer. Implements `TokenProvider`.
   *
   * @param refused the token that the server has just refused
   * @throws {ConnectionError} if the token must be renewed and the issuer is not responding
   */
  async get(refused?: string): Promise<string | undefined> {
    const held = this.holder.held();
    if (held === undefined) return undefined;
    if (refused !== undefined) return this.replace(held, refused);
    const isValid = this.schedule.isValid(held);
    if (isValid && !this.schedule.isDue(held)) return held.accessToken;
    if (!held.isRenewable) return isValid ? held.accessToken : undefined;
    if (!isValid) return (await this.renew(held))?.accessToken;
    void this.renew(held).catch(() => undefined);
    return held.accessToken;
  }

  /**
   * Replaces a token that the server refused before its expiry, because the server's clock is ahead or the session has
   * ended.
   */
  private async replace(held: HeldToken, refused: string): Promise<string | undefined> {
    if (held.accessToken !== refused) return held.accessToken;
    if (
      !held.isRenewable ||
      (this.replacement?.token === refused && this.schedule.now() < this.replacement.at + REPLACED_MS)
    )
      return undefined;
    const token = (await this.renew(held, refused))?.accessToken;
    if (token === undefined || token === refused) return undefined;
    this.replacement = { token, at: this.schedule.now() };
    return token;
  }

  /** Renews once for all concurrent callers, because a refresh token can be used only once. */
  private renew(held: HeldToken, refused?: string): Promise<HeldToken | undefined> {
    this.running ??= this.renewOnce(held, refused).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async renewOnce(held: HeldToken, refused: string | undefined): Promise<HeldToken | undefined> {
    if (this.schedule.isPausing(held)) throw new ConnectionError(new Error('it failed recently'), 'issuer');
    try {
      const renewed = await this.holder.renew(refused);
      this.schedule.succeeded();
      return renewed;
    } catch (error) {
      this.schedule.failed();
      throw new ConnectionError(error, 'issuer');
    }
  }
}
