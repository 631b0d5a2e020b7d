import type { ChangeMessage } from '@countersign/contract';
import { refused, type OperationResult } from '../common/operation-result.js';
import type { ApprovalLink, ActionResult } from '../common/bridge.js';
import type { DesktopState, ServerProfile } from '../common/state.js';
import type { Drafts } from './drafts/drafts.js';
import type { OfflineCache } from './offline/offline-cache.js';
import { OfflineReading } from './offline/offline-reading.js';
import { ServerTokens } from './session/server-tokens.js';
import { ServerSession, type ServerSessionOptions } from './session/server-session.js';
import type { ServerStore } from './servers/server-store.js';
import { serverUrl, type BadAddress } from './servers/server-url.js';
import type { TokenVault } from './session/token-vault.js';

type SessionParts = Pick<ServerSessionOptions, 'fetch' | 'log' | 'issuerOf'>;

interface DesktopOptions extends Omit<SessionParts, 'issuerOf'> {
  readonly servers: ServerStore;
  readonly vault: TokenVault;
  cacheOf(server: ServerProfile): OfflineCache;
  draftsOf(server: ServerProfile): Drafts;
  readonly development: boolean;
  readonly version: string;
  issuerOf(server: ServerProfile): ServerSessionOptions['issuerOf'];
}

type Listener<T> = (value: T) => void;

const BAD_ADDRESS: Readonly<Record<BadAddress, string>> = {
  invalid: 'This is not a valid server address.',
  insecure: 'Use https. Only servers on this computer may use http.',
  credentials: 'Remove the user name and password from the address.',
};

/**
 * The application without its windows: servers, the session at the active one, and the state published to listeners.
 * Parts that react to changes (tray, notifications) listen here, as the window does.
 */
export class Desktop {
  private session: ServerSession | undefined;
  private readonly tokens = new Map<string, ServerTokens>();
  private waitingLink: ApprovalLink | undefined;
  private readonly onStates = new Set<Listener<DesktopState>>();
  private readonly onChanges = new Set<Listener<ChangeMessage>>();
  private readonly onLinks = new Set<Listener<ApprovalLink>>();

  constructor(private readonly options: DesktopOptions) {}

  start(): void {
    this.enter();
  }

  stop(): void {
    this.session?.close();
  }

  /** Token renewals that must not be aborted, because an issuer returns new tokens only once; `undefined`: none. */
  get renewals(): Promise<unknown> | undefined {
    const running = [...this.tokens.values()].flatMap(({ renewal }) => renewal ?? []);
    return running.length === 0 ? undefined : Promise.allSettled(running);
  }

  get state(): DesktopState {
    const { servers, development, version } = this.options;
    return {
      servers: servers.servers,
      activeServerId: servers.active?.serverId ?? null,
      session: this.session?.state ?? { kind: 'none' },
      feed: this.session?.feed ?? 'off',
      development,
      version,
    };
  }

  /** The session at the active server, if a user is signed in. */
  get signedIn(): ServerSession | undefined {
    return this.session?.state.kind === 'signed-in' ? this.session : undefined;
  }

  /** Cached data while the server does not respond; `undefined` if it responds or no user is signed in. */
  get offline(): OfflineReading | undefined {
    return this.session?.state.kind === 'offline' ? new OfflineReading(this.session.cache) : undefined;
  }

  get anySession(): ServerSession | undefined {
    return this.session;
  }

  /** Runs an operation at the server as the signed-in user. */
  async inSession<T>(run: (session: ServerSession) => Promise<OperationResult<T>>): Promise<OperationResult<T>> {
    const session = this.signedIn;
    return session === undefined ? refused(this.offline === undefined ? 'not_signed_in' : 'offline') : run(session);
  }

  addServer(url: string, name: string): ActionResult {
    const address = serverUrl(url);
    if ('bad' in address) return { ok: false, code: address.bad, message: BAD_ADDRESS[address.bad] };
    this.options.servers.add(address.url, name);
    this.enter();
    return { ok: true };
  }

  /** Removes a server and its session. */
  async removeServer(serverId: string): Promise<void> {
    const { servers, cacheOf, draftsOf } = this.options;
    const isActive = servers.active?.serverId === serverId;
    const server = servers.servers.find((each) => each.serverId === serverId);
    if (isActive && this.signedIn !== undefined) await this.signedIn.signOut();
    if (isActive) this.session?.cache.forget();
    else if (server !== undefined) cacheOf(server).forget();
    if (server !== undefined) draftsOf(server).forget();
    this.tokensOf(serverId).forget();
    this.tokens.delete(serverId);
    servers.remove(serverId);
    if (isActive) this.enter();
    else this.notifyListeners();
  }

  selectServer(serverId: string): void {
    if (this.options.servers.active?.serverId !== serverId && this.options.servers.select(serverId)) this.enter();
  }

  /** Stores the link until the window takes it. */
  openLink(link: ApprovalLink): void {
    this.waitingLink = link;
    for (const listener of this.onLinks) listener(link);
  }

  takeLink(): ApprovalLink | null {
    const link = this.waitingLink ?? null;
    this.waitingLink = undefined;
    return link;
  }

  onState(listener: Listener<DesktopState>): void {
    this.onStates.add(listener);
  }

  onChange(listener: Listener<ChangeMessage>): void {
    this.onChanges.add(listener);
  }

  onLink(listener: Listener<ApprovalLink>): void {
    this.onLinks.add(listener);
  }

  private enter(): void {
    this.session?.close();
    this.session = undefined;
    const server = this.options.servers.active;
    if (server !== undefined) {
      const { fetch, log, cacheOf, draftsOf, development, issuerOf } = this.options;
      const session: ServerSession = new ServerSession({
        server,
        fetch,
        log,
        tokens: this.tokensOf(server.serverId),
        cache: cacheOf(server),
        drafts: draftsOf(server),
        development,
        issuerOf: issuerOf(server),
        onState: () => this.session === session && this.notifyListeners(),
        onChange: (message) => {
          if (this.session === session) for (const listener of this.onChanges) listener(message);
        },
      });
      this.session = session;
      void session.start();
    }
    this.notifyListeners();
  }

  private tokensOf(serverId: string): ServerTokens {
    const { vault, log } = this.options;
    const tokens = this.tokens.get(serverId) ?? new ServerTokens(serverId, vault, log);
    this.tokens.set(serverId, tokens);
    return tokens;
  }

  private notifyListeners(): void {
    const { state } = this;
    for (const listener of this.onStates) listener(state);
  }
}
