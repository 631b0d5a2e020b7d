import type { SigningKey } from '@countersign/contract';
import type { ActionResult } from '../../common/bridge.js';
import { SIGNING_OFF, type SigningState } from '../../common/signing.js';
import type { Log } from '../app/log.js';
import type { Desktop } from '../desktop.js';
import type { Clock } from '../presence/clock.js';
import type { ServerSession } from '../session/server-session.js';
import type { Confirm } from './confirm.js';
import { DeviceSigning } from './device-signing.js';
import { KeyWatch } from './key-watch.js';
import type { DeviceKeyStore } from './device-key-store.js';
import { VoteSigning } from './vote-signing.js';

interface SigningServiceOptions {
  readonly desktop: Desktop;
  readonly store: DeviceKeyStore;
  readonly confirm: Confirm;
  readonly log: Log;
  readonly deviceName: string;
  readonly clock: Clock;
  /** Notifies the user of a key that was set up elsewhere. */
  onKeyNews(key: SigningKey): void;
}

interface SigningSession {
  readonly session: ServerSession;
  readonly subject: string;
  readonly device: DeviceSigning;
  readonly signer: VoteSigning;
  readonly watch: KeyWatch;
}

const NOT_SIGNED_IN: ActionResult = Object.freeze({
  ok: false,
  code: 'not_signed_in',
  message: 'You are not signed in to a server as an approver.',
});

/** Manages the signing key of the signed-in user and signs votes with it, if the user may decide. */
export class SigningService {
  private current: SigningSession | undefined;
  private lastPublishedState = '';

  constructor(private readonly options: SigningServiceOptions) {
    options.desktop.onState(() => this.onDesktopState());
  }

  /** Called when the signing state changes. */
  onState: ((state: SigningState) => void) | undefined;

  get state(): SigningState {
    return this.current?.device.state ?? SIGNING_OFF;
  }

  getSigner(session: ServerSession): VoteSigning | undefined {
    return this.current?.session === session ? this.current.signer : undefined;
  }

  async check(): Promise<undefined> {
    await this.current?.device.check();
    return undefined;
  }

  setUp(name: string): Promise<ActionResult> {
    return this.current?.device.setUp(name) ?? Promise.resolve(NOT_SIGNED_IN);
  }

  enrol(): Promise<ActionResult> {
    return this.current?.device.enrol() ?? Promise.resolve(NOT_SIGNED_IN);
  }

  countersign(keyId: string): Promise<ActionResult> {
    return this.current?.device.countersign(keyId) ?? Promise.resolve(NOT_SIGNED_IN);
  }

  revoke(keyId: string): Promise<ActionResult> {
    return this.current?.device.revoke(keyId) ?? Promise.resolve(NOT_SIGNED_IN);
  }

  setSignsEvery(on: boolean): Promise<ActionResult> {
    return this.current?.device.setSignsEvery(on) ?? Promise.resolve(NOT_SIGNED_IN);
  }

  /** Deletes the keys of a removed server, which are useless without it. */
  forgetServer(profileId: string): void {
    this.options.store.forgetServer(profileId);
    this.publishState();
  }

  private onDesktopState(): void {
    const { desktop, store, confirm, log, deviceName, clock, onKeyNews } = this.options;
    const { servers, activeServerId, session: state } = desktop.state;
    const session = desktop.signedInSession;
    const server = servers.find(({ serverId }) => serverId === activeServerId);
    const canDecide =
      state.kind === 'signed-in' &&
      state.me.kind === 'user' &&
      (state.me.role === 'approver' || state.me.role === 'admin');
    if (session === undefined || server === undefined || !canDecide) {
      this.current?.watch.stop();
      this.current = undefined;
    } else if (this.current?.session !== session || this.current.subject !== state.me.subject) {
      const { subject } = state.me;
      const device = new DeviceSigning({
        client: session.client,
        account: { profileId: server.serverId, subject },
        server,
        store,
        confirm,
        log,
        deviceName,
        signInAgain: (requirements) => session.signInAgain(requirements),
        onState: () => this.publishState(),
      });
      const logFailure = (error: unknown): void => log.failure('signing.check_failed', error);
      const watch = new KeyWatch({
        client: session.client,
        clock,
        isThisDevice: (keyId) => device.state.key?.keyId === keyId,
        onNews: onKeyNews,
        // The user may have enrolled the key on another device in the meantime.
        onPolled: () => device.state.status === 'not-enrolled' && void device.check().catch(logFailure),
      });
      this.current?.watch.stop();
      this.current = { session, subject, device, signer: new VoteSigning(device, session.client), watch };
      void device.check().catch(logFailure);
      void watch.check().catch(logFailure);
    }
    this.publishState();
  }

  private publishState(): void {
    const { state } = this;
    const serializedState = JSON.stringify(state);
    if (serializedState === this.lastPublishedState) return;
    this.lastPublishedState = serializedState;
    this.onState?.(state);
  }
}
