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

interface SigningDeskOptions {
  readonly desktop: Desktop;
  readonly store: DeviceKeyStore;
  readonly ask: Confirm;
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

const NOBODY: ActionResult = Object.freeze({
  ok: false,
  code: 'not_signed_in',
  message: 'You are not signed in to a server as an approver.',
});

/** The current signing key of the signed-in user, if they may decide. */
export class SigningService {
  private seat: SigningSession | undefined;
  private lastSent = '';

  constructor(private readonly options: SigningDeskOptions) {
    options.desktop.onState(() => this.follow());
  }

  /** Called when the signing state changes. */
  onState: ((state: SigningState) => void) | undefined;

  get state(): SigningState {
    return this.seat?.device.state ?? SIGNING_OFF;
  }

  signerOf(session: ServerSession): VoteSigning | undefined {
    return this.seat?.session === session ? this.seat.signer : undefined;
  }

  async check(): Promise<undefined> {
    await this.seat?.device.check();
    return undefined;
  }

  setUp(name: string): Promise<ActionResult> {
    return this.seat?.device.setUp(name) ?? Promise.resolve(NOBODY);
  }

  enrol(): Promise<ActionResult> {
    return this.seat?.device.enrol() ?? Promise.resolve(NOBODY);
  }

  countersign(keyId: string): Promise<ActionResult> {
    return this.seat?.device.countersign(keyId) ?? Promise.resolve(NOBODY);
  }

  revoke(keyId: string): Promise<ActionResult> {
    return this.seat?.device.revoke(keyId) ?? Promise.resolve(NOBODY);
  }

  setSignsEvery(on: boolean): Promise<ActionResult> {
    return this.seat?.device.setSignsEvery(on) ?? Promise.resolve(NOBODY);
  }

  /** Deletes the keys of a removed server, which are useless without it. */
  forgetServer(profileId: string): void {
    this.options.store.forgetServer(profileId);
    this.tell();
  }

  private follow(): void {
    const { desktop, store, ask, log, deviceName, clock, onKeyNews } = this.options;
    const { servers, activeServerId, session: state } = desktop.state;
    const session = desktop.signedIn;
    const server = servers.find(({ serverId }) => serverId === activeServerId);
    const decides =
      state.kind === 'signed-in' &&
      state.me.kind === 'user' &&
      (state.me.role === 'approver' || state.me.role === 'admin');
    if (session === undefined || server === undefined || !decides) {
      this.seat?.watch.stop();
      this.seat = undefined;
    } else if (this.seat?.session !== session || this.seat.subject !== state.me.subject) {
      const { subject } = state.me;
      const device = new DeviceSigning({
        client: session.client,
        account: { profileId: server.serverId, subject },
        server,
        store,
        ask,
        log,
        deviceName,
        signInAgain: (sign) => session.signInAgain(sign),
        onState: () => this.tell(),
      });
      const failed = (error: unknown): void => log.failure('signing.check_failed', error);
      const watch = new KeyWatch({
        client: session.client,
        clock,
        isHere: (keyId) => device.state.key?.keyId === keyId,
        onNews: onKeyNews,
        // The user may have enrolled the key on another device in the meantime.
        onLook: () => device.state.status === 'not-enrolled' && void device.check().catch(failed),
      });
      this.seat?.watch.stop();
      this.seat = { session, subject, device, signer: new VoteSigning(device, session.client), watch };
      void device.check().catch(failed);
      void watch.look().catch(failed);
    }
    this.tell();
  }

  private tell(): void {
    const { state } = this;
    const text = JSON.stringify(state);
    if (text === this.lastSent) return;
    this.lastSent = text;
    this.onState?.(state);
  }
}
