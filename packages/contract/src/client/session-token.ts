import { ConnectionError } from './connection-error.js';
import { RenewalSchedule, type TokenTimes } from './renewal-schedule.js';

/** A token that replaced a refused one, and is refused so soon itself, in ms, is not replaced again. */
const REPLACED_MS = 60_000;

/** The access token of a session, as it is held now. */
export interface HeldToken extends TokenTimes {
  readonly accessToken: string;
  /** Whether the issuer gave something that it can be renewed by, and has not refused that since. */
  readonly isRenewable: boolean;
}

/** Holds the tokens of a session, and asks the issuer for others. */
export interface TokenHolder {
  /** Returns the token that is held; `undefined`: none. */
  held(): HeldToken | undefined;
  /**
   * Renews the token that is held. Not called while it runs.
   *
   * @param refused a token that the server refuses, and that must be replaced although its time is not over
   * @returns the token that is held now; `undefined`: the issuer has refused for good
   * @throws {Error} if it may succeed later
   */
  renew(refused?: string): Promise<HeldToken | undefined>;
}

/**
 * The access token of a session, renewed at a share of its lifetime, and once when the server refuses it. Only two things end a
 * session: the issuer's refusal (RFC 6749, 5.2), and a server that refuses the renewed token, too. An issuer that can't be
 * reached is a broken connection, which may heal.
 */
export class SessionToken {
  private running: Promise<HeldToken | undefined> | undefined;
  private replacement: { readonly token: string; readonly at: number } | undefined;

  constructor(
    private readonly holder: TokenHolder,
    private readonly schedule: RenewalSchedule = new RenewalSchedule(),
  ) {}

  /** The renewal that is under way; `undefined`: none. */
  get renewal(): Promise<unknown> | undefined {
    return this.running;
  }

  /**
   * Returns the token to send; `undefined`: the session has ended. While a token counts nothing waits for the issuer. A
   * `TokenProvider`.
   *
   * @param refused the token that the server has just refused
   * @throws {ConnectionError} if the token has to be renewed and the issuer is not responding
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

  /** A server whose clock is ahead, or that knows of the end of a session, refuses tokens before their end. */
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

  /** Renews once for all who ask meanwhile: a refresh token counts once. */
  private renew(held: HeldToken, refused?: string): Promise<HeldToken | undefined> {
    this.running ??= this.renewOnce(held, refused).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async renewOnce(held: HeldToken, refused: string | undefined): Promise<HeldToken | undefined> {
    if (this.schedule.isPausing(held)) throw new ConnectionError(new Error('it failed a moment ago'), 'issuer');
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
