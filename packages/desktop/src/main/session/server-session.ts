import {
  ConnectionError,
  createClient,
  ProblemError,
  type AuthConfig,
  type ChangeMessage,
  type Client,
  type FetchLike,
} from '@countersign/contract';
import type { ActionResult } from '../../common/bridge.js';
import type { FeedStatus, ServerProfile, SessionState, SignedOutReason, SignInOffer } from '../../common/state.js';
import { followChanges } from '../api/change-feed.js';
import type { Log } from '../app/log.js';
import type { Drafts } from '../drafts/drafts.js';
import type { OfflineCache } from '../offline/offline-cache.js';
import { DisplayedQuestions } from '../questions/displayed-questions.js';
import { DisplayedApprovals } from '../vote/displayed-approvals.js';
import { toFailure } from './to-failure.js';
import type { FreshSignIn } from './oidc.js';
import type { Issuer, ServerTokens } from './server-tokens.js';

const RECONNECT_MS = 5_000;

const CANCELLED: ActionResult = Object.freeze({ ok: false, code: 'given_up', message: 'The sign-in was cancelled.' });

export interface ServerSessionOptions {
  readonly server: ServerProfile;
  readonly fetch: FetchLike;
  readonly tokens: ServerTokens;
  readonly log: Log;
  /** Data that can be read while the server does not respond. */
  readonly cache: OfflineCache;
  /** Drafts of the user at this server. */
  readonly drafts: Drafts;
  /** Whether development tokens are accepted. */
  readonly development: boolean;
  createIssuer(auth: AuthConfig): Issuer;
  onState(): void;
  onChange(message: ChangeMessage): void;
}

/**
 * A user's session at one server, from the first contact until another server is activated. Tokens are sent only to
 * that server and its issuer.
 */
export class ServerSession {
  state: SessionState = { kind: 'connecting' };
  feed: FeedStatus = 'off';
  /** Client of the current sign-in. */
  client: Client;
  /** Record of the approvals that the window received in this session. */
  displayedApprovals = new DisplayedApprovals();
  displayedQuestions = new DisplayedQuestions();
  private auth: AuthConfig | undefined;
  private readonly lifetime = new AbortController();
  private signInAttempt: AbortController | undefined;
  private feedController: AbortController | undefined;
  private reconnectTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: ServerSessionOptions) {
    this.client = this.openClient();
  }

  /** Loads the sign-in methods of the server and the signed-in user. Retries until the server responds. */
  async start(): Promise<void> {
    clearTimeout(this.reconnectTimer);
    try {
      this.auth = await createClient({
        baseUrl: this.options.server.url,
        fetch: this.options.fetch,
        retries: 0,
      }).getAuthConfig();
      const { tokens, createIssuer } = this.options;
      tokens.issuer = this.auth.mode === 'oidc' ? createIssuer(this.auth) : undefined;
      if (tokens.tokenSet === undefined) this.setSignedOut('never');
      else await this.loadUser();
    } catch (error) {
      this.setUnreachable(error);
    }
  }

  /** Signs in through the operating system's browser; resolves when the user has returned or has cancelled. */
  async signIn(): Promise<ActionResult> {
    const { offer } = this;
    const { issuer } = this.options.tokens;
    if (issuer === undefined || offer === undefined)
      return { ok: false, code: 'no_issuer', message: 'This server has no issuer for signing in.' };
    this.signInAttempt?.abort();
    const attempt = new AbortController();
    this.signInAttempt = attempt;
    this.setState({ kind: 'signing-in', offer });
    try {
      const tokenSet = await issuer.signIn(attempt.signal);
      if (this.lifetime.signal.aborted || attempt.signal.aborted) return CANCELLED;
      this.client = this.openClient();
      this.options.tokens.put(tokenSet);
      await this.loadUser();
      return { ok: true };
    } catch (error) {
      if (attempt.signal.aborted) return CANCELLED;
      this.options.log.failure('sign_in.failed', error);
      const failure = toFailure(error);
      this.setState({ kind: 'signed-out', reason: 'never', offer, failure });
      return { ok: false, ...failure };
    }
  }

  /**
   * Asks the signed-in user to sign in again. If the same user signs in, the session continues with the new tokens;
   * otherwise, it continues unchanged.
   */
  async signInAgain(freshSignIn: FreshSignIn): Promise<ActionResult> {
    const { state } = this;
    const { issuer } = this.options.tokens;
    if (state.kind !== 'signed-in')
      return { ok: false, code: 'not_signed_in', message: 'You are not signed in to this server.' };
    if (issuer === undefined)
      return {
        ok: false,
        code: 'no_issuer',
        message:
          'This server has no issuer for signing in again. Sign out and sign in with a new token, then finish here.',
      };
    this.signInAttempt?.abort();
    const attempt = new AbortController();
    this.signInAttempt = attempt;
    try {
      const tokenSet = await issuer.signIn(attempt.signal, freshSignIn);
      const me = await createClient({
        baseUrl: this.options.server.url,
        token: tokenSet.accessToken,
        fetch: this.options.fetch,
      }).getMe();
      if (me.subject !== state.me.subject) {
        await issuer.revoke(tokenSet).catch((error: unknown) => this.options.log.failure('sign_in.not_revoked', error));
        return { ok: false, code: 'other_person', message: 'Someone else signed in. Nothing was changed.' };
      }
      if (this.lifetime.signal.aborted || attempt.signal.aborted || this.state.kind !== 'signed-in') return CANCELLED;
      this.options.tokens.put(tokenSet);
      return { ok: true };
    } catch (error) {
      if (attempt.signal.aborted) return CANCELLED;
      this.options.log.failure('sign_in.failed', error);
      return { ok: false, ...toFailure(error) };
    }
  }

  cancelSignIn(): void {
    this.signInAttempt?.abort();
    if (this.state.kind === 'signing-in') this.setSignedOut('never');
  }

  /** Signs in with a token issued by a development server. */
  async useDevelopmentToken(token: string): Promise<ActionResult> {
    if (!this.options.development || this.auth?.mode !== 'development')
      return {
        ok: false,
        code: 'not_for_development',
        message: 'Development tokens require a development server and a development version of this application.',
      };
    const reason = this.state.kind === 'signed-out' ? this.state.reason : 'never';
    this.client = this.openClient();
    this.options.tokens.put({
      kind: 'development',
      accessToken: token,
      refreshToken: null,
      receivedAt: Date.now(),
      expiresAt: null,
    });
    try {
      await this.loadUser();
    } catch (error) {
      this.options.tokens.forget();
      this.setSignedOut(reason);
      return { ok: false, ...toFailure(error) };
    }
    if (this.state.kind === 'signed-in' || this.state.kind === 'no-role') return { ok: true };
    // The token was refused, so no session has ended: the earlier reason still applies.
    this.setSignedOut(reason);
    return { ok: false, code: 'invalid_token', message: 'The server does not accept this token.' };
  }

  /** Deletes the tokens, the cached data and the drafts, then revokes the tokens at the issuer if possible. */
  async signOut(): Promise<void> {
    const { tokenSet, issuer } = this.options.tokens;
    this.stopFeedAndResetRecords();
    this.options.tokens.forget();
    this.options.cache.clear();
    this.options.drafts.clear();
    if (this.offer === undefined)
      this.setState({ kind: 'unreachable', failure: toFailure(new ConnectionError(undefined)) });
    else this.setSignedOut('signed_out');
    if (tokenSet?.kind !== 'oidc') return;
    await issuer?.revoke(tokenSet).catch((error: unknown) => this.options.log.failure('sign_out.not_revoked', error));
  }

  /** Closes the session because another server is activated or the application ends. Stored data is kept. */
  close(): void {
    clearTimeout(this.reconnectTimer);
    this.lifetime.abort();
    this.signInAttempt?.abort();
    this.options.cache.flush();
    this.options.drafts.flush();
    this.stopFeedAndResetRecords();
  }

  get drafts(): Drafts {
    return this.options.drafts;
  }

  get cache(): OfflineCache {
    return this.options.cache;
  }

  /** Opens a client for one sign-in: its pending requests are never sent with the token of the next user. */
  private openClient(): Client {
    const client: Client = createClient({
      baseUrl: this.options.server.url,
      token: async (refused) => {
        const token = this.client === client ? await this.getToken(refused) : undefined;
        // Another user may have signed in during the renewal.
        return this.client === client ? token : undefined;
      },
      fetch: this.options.fetch,
    });
    return client;
  }

  /** Returns the token to send. If there is no valid token, ends the session. */
  private async getToken(refused?: string): Promise<string | undefined> {
    const token = await this.options.tokens.get(refused);
    if (token === undefined && this.state.kind === 'signed-in' && !this.lifetime.signal.aborted) this.expire();
    return token;
  }

  private async loadUser(): Promise<void> {
    try {
      const me = await createClient({
        baseUrl: this.options.server.url,
        token: (refused) => this.options.tokens.get(refused),
        fetch: this.options.fetch,
      }).getMe();
      this.options.cache.assignTo(me);
      this.setState({ kind: 'signed-in', me, kept: this.options.tokens.arePersistent });
      this.followFeed();
    } catch (error) {
      if (!(error instanceof ProblemError) || (error.status !== 401 && error.status !== 403)) throw error;
      // A user without a role may not even read their own profile.
      if (error.status === 403) this.setState({ kind: 'no-role' });
      else this.expire();
    }
  }

  private followFeed(): void {
    this.feedController?.abort();
    const controller = new AbortController();
    this.feedController = controller;
    void followChanges({
      baseUrl: this.options.server.url,
      fetch: this.options.fetch,
      token: (refused) => this.getToken(refused),
      signal: controller.signal,
      onMessage: (message) => !controller.signal.aborted && this.options.onChange(message),
      onStatus: (feed) => {
        if (controller.signal.aborted || this.feed === feed) return;
        this.feed = feed;
        this.options.onState();
      },
    });
  }

  private expire(): void {
    this.stopFeedAndResetRecords();
    this.options.tokens.forget();
    this.setSignedOut('ended');
  }

  private stopFeedAndResetRecords(): void {
    this.feedController?.abort();
    this.feedController = undefined;
    this.feed = 'off';
    this.displayedApprovals = new DisplayedApprovals();
    this.displayedQuestions = new DisplayedQuestions();
  }

  private setSignedOut(reason: SignedOutReason): void {
    if (this.offer !== undefined) this.setState({ kind: 'signed-out', reason, offer: this.offer, failure: null });
  }

  private setUnreachable(error: unknown): void {
    if (this.lifetime.signal.aborted) return;
    if (!(error instanceof ConnectionError)) this.options.log.failure('server.unusable', error);
    const { contentInfo } = this.options.cache;
    if (error instanceof ConnectionError && this.options.tokens.tokenSet !== undefined && contentInfo !== undefined)
      this.setState({ kind: 'offline', ...contentInfo });
    else this.setState({ kind: 'unreachable', failure: toFailure(error) });
    this.reconnectTimer = setTimeout(() => void this.start(), RECONNECT_MS);
  }

  private get offer(): SignInOffer | undefined {
    if (this.auth === undefined) return undefined;
    const { mode, issuer, clientId } = this.auth;
    return { mode, issuer, clientId, developmentToken: mode === 'development' && this.options.development };
  }

  private setState(state: SessionState): void {
    if (this.lifetime.signal.aborted) return;
    this.state = state;
    this.options.onState();
  }
}
