import type { ChangeMessage } from '@countersign/contract';
import { createRefusal, type OperationResult } from '../common/operation-result.js';
import type { ItemLink, ActionResult } from '../common/bridge.js';
import type { DesktopState, ServerProfile } from '../common/state.js';
import type { Drafts } from './drafts/drafts.js';
import type { OfflineCache } from './offline/offline-cache.js';
import { OfflineOperations } from './offline/offline-operations.js';
import { ServerTokens } from './session/server-tokens.js';
import { ServerSession, type ServerSessionOptions } from './session/server-session.js';
import type { ServerStore } from './servers/server-store.js';
import { parseServerUrl, type AddressError } from './servers/server-url.js';
import type { TokenVault } from './session/token-vault.js';

type SessionParts = Pick<ServerSessionOptions, 'fetch' | 'log' | 'createIssuer'>;

interface DesktopOptions extends Omit<SessionParts, 'createIssuer'> {
  readonly servers: ServerStore;
  readonly vault: TokenVault;
  openCache(server: ServerProfile): OfflineCache;
  getDrafts(server: ServerProfile): Drafts;
  readonly development: boolean;
  readonly version: string;
  createIssuer(server: ServerProfile): ServerSessionOptions['createIssuer'];
}

type Listener<T> = (value: T) => void;

const ADDRESS_ERROR_MESSAGES: Readonly<Record<AddressError, string>> = {
  invalid: 'This is not a valid server address.',
  insecure: 'Use https. Only servers on this computer may use http.',
  credentials: 'Remove the user name and password from the address.',
};

/**
 * The application without its user interface: the servers, the session at the active server, and the state that is
 * published to listeners. The window, the tray and the notifications are listeners.
 */
export class Desktop {
  private session: ServerSession | undefined;
  private readonly tokens = new Map<string, ServerTokens>();
  private pendingLink: ItemLink | undefined;
  private readonly stateListeners = new Set<Listener<DesktopState>>();
  private readonly changeListeners = new Set<Listener<ChangeMessage>>();
  private readonly linkListeners = new Set<Listener<ItemLink>>();

  constructor(private readonly options: DesktopOptions) {}

  start(): void {
    this.openSession();
  }

  stop(): void {
    this.session?.close();
  }

  /**
   * Token renewals that must not be aborted, because an issuer returns new tokens only once; `undefined` if there are
   * none.
   */
  get renewals(): Promise<unknown> | undefined {
    const pendingRenewals = [...this.tokens.values()].flatMap(({ renewal }) => renewal ?? []);
    return pendingRenewals.length === 0 ? undefined : Promise.allSettled(pendingRenewals);
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
  get signedInSession(): ServerSession | undefined {
    return this.session?.state.kind === 'signed-in' ? this.session : undefined;
  }

  /**
   * Operations on cached data while the server does not respond; `undefined` if it responds or no user is signed in.
   */
  get offlineOperations(): OfflineOperations | undefined {
    return this.session?.state.kind === 'offline' ? new OfflineOperations(this.session.cache) : undefined;
  }

  get currentSession(): ServerSession | undefined {
    return this.session;
  }

  /** Executes an operation on the server as the signed-in user. If no user is signed in, returns a refusal. */
  async runInSession<T>(run: (session: ServerSession) => Promise<OperationResult<T>>): Promise<OperationResult<T>> {
    const session = this.signedInSession;
    return session === undefined
      ? createRefusal(this.offlineOperations === undefined ? 'not_signed_in' : 'offline')
      : run(session);
  }

  addServer(url: string, name: string): ActionResult {
    const parsedUrl = parseServerUrl(url);
    if ('error' in parsedUrl)
      return { ok: false, code: parsedUrl.error, message: ADDRESS_ERROR_MESSAGES[parsedUrl.error] };
    this.options.servers.add(parsedUrl.url, name);
    this.openSession();
    return { ok: true };
  }

  /** Removes a server with its session, cached data and drafts. */
  async removeServer(serverId: string): Promise<void> {
    const { servers, openCache, getDrafts } = this.options;
    const isActive = servers.active?.serverId === serverId;
    const server = servers.servers.find((each) => each.serverId === serverId);
    if (isActive && this.signedInSession !== undefined) await this.signedInSession.signOut();
    if (isActive) this.session?.cache.clear();
    else if (server !== undefined) openCache(server).clear();
    if (server !== undefined) getDrafts(server).clear();
    this.getTokens(serverId).forget();
    this.tokens.delete(serverId);
    servers.remove(serverId);
    if (isActive) this.openSession();
    else this.notifyListeners();
  }

  selectServer(serverId: string): void {
    if (this.options.servers.active?.serverId !== serverId && this.options.servers.select(serverId)) this.openSession();
  }

  /** Notifies the listeners of a link and stores it until the window takes it. */
  openLink(link: ItemLink): void {
    this.pendingLink = link;
    for (const listener of this.linkListeners) listener(link);
  }

  takeLink(): ItemLink | null {
    const link = this.pendingLink ?? null;
    this.pendingLink = undefined;
    return link;
  }

  onState(listener: Listener<DesktopState>): void {
    this.stateListeners.add(listener);
  }

  onChange(listener: Listener<ChangeMessage>): void {
    this.changeListeners.add(listener);
  }

  onLink(listener: Listener<ItemLink>): void {
    this.linkListeners.add(listener);
  }

  private openSession(): void {
    this.session?.close();
    this.session = undefined;
    const server = this.options.servers.active;
    if (server !== undefined) {
      const { fetch, log, openCache, getDrafts, development, createIssuer } = this.options;
      const session: ServerSession = new ServerSession({
        server,
        fetch,
        log,
        tokens: this.getTokens(server.serverId),
        cache: openCache(server),
        drafts: getDrafts(server),
        development,
        createIssuer: createIssuer(server),
        onState: () => this.session === session && this.notifyListeners(),
        onChange: (message) => {
          if (this.session === session) for (const listener of this.changeListeners) listener(message);
        },
      });
      this.session = session;
      void session.start();
    }
    this.notifyListeners();
  }

  private getTokens(serverId: string): ServerTokens {
    const { vault, log } = this.options;
    const tokens = this.tokens.get(serverId) ?? new ServerTokens(serverId, vault, log);
    this.tokens.set(serverId, tokens);
    return tokens;
  }

  private notifyListeners(): void {
    const { state } = this;
    for (const listener of this.stateListeners) listener(state);
  }
}
