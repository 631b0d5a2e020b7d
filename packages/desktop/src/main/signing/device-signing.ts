import {
  ConnectionError,
  countersignatureToSign,
  keyToSign,
  ProblemError,
  type Client,
  type SigningKey,
} from '@countersign/contract';
import type { ActionResult } from '../../common/bridge.js';
import type { SigningState, SigningStatus } from '../../common/signing.js';
import type { Log } from '../app/log.js';
import { toFailure } from '../session/to-failure.js';
import type { Confirm } from './confirm.js';
import type { KeyAccount, KeyNote, DeviceKeyStore } from './device-key-store.js';
import type { FreshSignIn } from '../session/oidc.js';
import { countersignPrompt, revokePrompt, setUpPrompt, signOnlyRequiredPrompt } from './key-prompts.js';
import { SigningPair } from './signing-pair.js';

/** Maximum number of pages searched for a key; a user with more has revoked thousands. */
const MAX_PAGES = 10;

export interface DeviceSigningOptions {
  readonly client: Pick<
    Client,
    'getSigning' | 'listMySigningKeys' | 'registerSigningKey' | 'countersignMySigningKey' | 'revokeMySigningKey'
  >;
  readonly account: KeyAccount;
  readonly server: { readonly name: string; readonly url: string };
  readonly store: DeviceKeyStore;
  readonly ask: Confirm;
  readonly log: Log;
  readonly deviceName: string;
  /** Makes the user sign in again at the issuer, as the server requires for enrolling a key. */
  signInAgain(sign: FreshSignIn): Promise<ActionResult>;
  onState(): void;
}

/** Server's state of this device's key; `unknown`: the server was not asked or did not respond. */
type Found = 'unknown' | 'active' | 'pending' | 'revoked' | 'absent' | 'other-server';

/** The signing key of one user at one server, on this device: created, registered, checked, revoked. */
export class DeviceSigning {
  private found: Found = 'unknown';
  private turn: Promise<unknown> = Promise.resolve();

  constructor(readonly options: DeviceSigningOptions) {}

  get state(): SigningState {
    const { store, deviceName } = this.options;
    const { note } = this;
    const key = note === undefined ? null : { keyId: note.keyId, name: note.name, createdAt: note.createdAt };
    return { status: this.status, key, keeps: store.keeps, signsEvery: note?.signsEvery ?? false, deviceName };
  }

  /** The key for signing votes; `undefined` if votes cannot be signed. */
  get usable(): { readonly pair: SigningPair; readonly note: KeyNote } | undefined {
    const { note, pair } = this;
    return note === undefined || pair === undefined || this.status !== 'ready' ? undefined : { note, pair };
  }

  /** Checks whether the server still accepts the key. If the server does not respond, the known state is kept. */
  check(): Promise<void> {
    return this.inSequence(async () => {
      const { note } = this;
      if (note !== undefined) {
        try {
          this.found = await this.find(note);
          if ((this.found === 'active' || this.found === 'pending') && !note.registered)
            this.options.store.change(this.options.account, { registered: true });
        } catch (error) {
          if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
          this.options.log.info('signing.not_checked');
        }
      }
      this.options.onState();
    });
  }

  /** Handles a refused vote: if the code concerns the key, the key's state is updated from it. */
  refused(code: string): void {
    const found = REFUSED[code];
    if (found === undefined) return;
    this.found = found;
    this.options.onState();
  }

  /** Like {@link refused}: another server now responds at this address. */
  foundOtherServer(): void {
    this.found = 'other-server';
    this.options.onState();
  }

  /**
   * Creates a key and registers it, or completes an interrupted registration. The key is stored first: after a crash,
   * the server has no key that is missing here, and registering the same key again has no effect.
   */
  setUp(name: string): Promise<ActionResult> {
    return this.inSequence(() =>
      this.answered(async () => {
        const { client, account, store, ask, server, log } = this.options;
        if (this.status === 'ready') return { ok: true };
        const { note, pair, status } = this;
        const { serverId, now } = await client.getSigning();
        const offset = Date.parse(now) - Date.now();
        const replaced = status === 'lost' && this.found === 'active' ? note : undefined;
        if (!(await ask(setUpPrompt({ server, subject: account.subject, name, keeps: store.keeps, replaced }))))
          return DECLINED;
        const again = status === 'unregistered' || status === 'not-mine';
        const made = again && note?.server === serverId && pair !== undefined ? pair : SigningPair.make();
        const at = (): string => new Date(Date.now() + offset).toISOString();
        store.put(account, made, {
          server: serverId,
          name,
          createdAt: at(),
          registered: false,
          signsEvery: note?.signsEvery ?? false,
        });
        this.found = 'unknown';
        try {
          this.found = await this.register(made, name, serverId, at());
        } catch (error) {
          // A key that the server certainly did not accept is useless; one that it may have accepted is completed
          // later.
          if (error instanceof ProblemError && error.status < 500 && !error.retryable) store.forget(account);
          throw error;
        }
        store.change(account, { registered: true });
        log.info('signing.set_up', { kept: store.keeps });
        // If revoking fails, the key stays in the list, where it can be revoked.
        if (replaced !== undefined)
          await client
            .revokeMySigningKey({ keyId: replaced.keyId })
            .catch((error: unknown) => log.failure('signing.not_replaced', error));
        return { ok: true };
      }),
    );
  }

  /**
   * Enrols the registered key of this device: with the current sign-in if it is recent enough, otherwise with a new
   * one.
   */
  enrol(): Promise<ActionResult> {
    return this.inSequence(() =>
      this.answered(async () => {
        const { client, log, signInAgain } = this.options;
        const { note, pair } = this;
        if (this.status !== 'not-enrolled' || note === undefined || pair === undefined)
          return { ok: false, code: 'no_signing_key', message: 'This device has no key to enroll.' };
        const tried = async (): Promise<boolean> => {
          const { serverId, now } = await client.getSigning();
          if (serverId === note.server) this.found = await this.register(pair, note.name, serverId, now);
          return this.found === 'active';
        };
        if (!(await tried())) {
          const again = await signInAgain((await client.getSigning()).signIn);
          if (!again.ok) return again;
          if (!(await tried())) return NOT_FRESH;
        }
        log.info('signing.enrolled');
        return { ok: true };
      }),
    );
  }

  /** Enrols another key of this user with a signature of this device's key, after confirmation. */
  countersign(keyId: string): Promise<ActionResult> {
    return this.inSequence(() =>
      this.answered(async () => {
        const { client, account, ask, server, log } = this.options;
        const { usable } = this;
        if (usable === undefined)
          return { ok: false, code: 'no_signing_key', message: 'This device has no key to sign with.' };
        const key = await this.findKey(keyId);
        if (key === undefined)
          return { ok: false, code: 'signing_key_not_found', message: 'The server has no key of yours with this id.' };
        if (!(await ask(countersignPrompt({ server, key })))) return DECLINED;
        const { serverId, now } = await client.getSigning();
        if (serverId !== usable.note.server)
          return {
            ok: false,
            code: 'other_server',
            message: 'A different server is responding at this address. Nothing was signed.',
          };
        const statement = {
          server: serverId,
          subject: account.subject,
          enrolledKeyId: keyId,
          keyId: usable.pair.keyId,
          at: now,
        };
        await client.countersignMySigningKey({
          keyId,
          body: { countersignature: usable.pair.signed(countersignatureToSign(statement)) },
        });
        log.info('signing.countersigned');
        return { ok: true };
      }),
    );
  }

  /** Revokes a key of this user, this device's or another one, after confirmation. */
  revoke(keyId: string): Promise<ActionResult> {
    return this.inSequence(() =>
      this.answered(async () => {
        const { client, account, store, ask, server, log } = this.options;
        const key = await this.findKey(keyId);
        if (key === undefined)
          return { ok: false, code: 'signing_key_not_found', message: 'The server has no key of yours with this id.' };
        const isHere = this.note?.keyId === keyId;
        if (key.revokedAt === null) {
          if (!(await ask(revokePrompt({ server, key, isHere })))) return DECLINED;
          await client.revokeMySigningKey({ keyId });
          log.info('signing.revoked', { here: isHere });
        }
        if (isHere) {
          store.forget(account);
          this.found = 'unknown';
        }
        return { ok: true };
      }),
    );
  }

  /**
   * Sets whether votes are signed even if no signature is required. Turning this off asks for confirmation, because
   * votes are then sent without a dialog.
   */
  setSignsEvery(on: boolean): Promise<ActionResult> {
    return this.inSequence(() =>
      this.answered(async () => {
        const { account, store, ask, server } = this.options;
        if (this.note === undefined) return { ok: false, code: 'no_signing_key', message: 'This device has no key.' };
        if (!on && this.note.signsEvery && !(await ask(signOnlyRequiredPrompt(server)))) return DECLINED;
        store.change(account, { signsEvery: on });
        return { ok: true };
      }),
    );
  }

  private get note(): KeyNote | undefined {
    return this.options.store.note(this.options.account);
  }

  private get pair(): SigningPair | undefined {
    return this.options.store.pair(this.options.account);
  }

  private get status(): SigningStatus {
    const { note, found } = this;
    if (note === undefined) return 'none';
    if (this.pair === undefined) return 'lost';
    if (found === 'other-server' || found === 'revoked') return found;
    if (found === 'pending') return 'not-enrolled';
    if (found === 'absent') return note.registered ? 'not-mine' : 'unregistered';
    return note.registered ? 'ready' : 'unregistered';
  }

  private async find({ keyId, server }: KeyNote): Promise<Found> {
    if ((await this.options.client.getSigning()).serverId !== server) return 'other-server';
    const key = await this.findKey(keyId);
    if (key === undefined) return 'absent';
    return key.revokedAt === null ? foundOf(key) : 'revoked';
  }

  /** @param at server time */
  private async register(pair: SigningPair, name: string, server: string, at: string): Promise<Found> {
    const { client, account } = this.options;
    const statement = { server, subject: account.subject, keyId: pair.keyId, at };
    return foundOf(
      await client.registerSigningKey({
        body: { publicKey: pair.publicKey, name, proof: pair.signed(keyToSign(statement)) },
      }),
    );
  }

  private async findKey(keyId: string): Promise<SigningKey | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { items, nextCursor } = await this.options.client.listMySigningKeys({
        limit: 200,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const key = items.find((each) => each.keyId === keyId);
      if (key !== undefined || nextCursor === null) return key;
      cursor = nextCursor;
    }
    return undefined;
  }

  private async answered(act: () => Promise<ActionResult>): Promise<ActionResult> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
      return { ok: false, ...toFailure(error) };
    } finally {
      this.options.onState();
    }
  }

  /** Runs actions one after the other, so that two concurrent set-ups create only one key. */
  private inSequence<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(act, act);
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}

/** Servers from before enrolment do not report it. */
function foundOf({ enrolment }: SigningKey): Found {
  return enrolment === null ? 'pending' : 'active';
}

/** State of the key by the error code of a refused vote. */
const REFUSED: Readonly<Record<string, Found>> = Object.freeze({
  signing_key_revoked: 'revoked',
  signing_key_unknown: 'absent',
  signing_key_not_enrolled: 'pending',
});

const NOT_FRESH = Object.freeze({
  ok: false,
  code: 'signing_key_not_enrolled',
  message:
    'The issuer did not confirm a recent sign-in that meets the server’s requirements. Confirm the key on another of your devices, or ask an administrator to approve it.',
} as const);

const DECLINED = Object.freeze({
  ok: false,
  code: 'declined',
  message: 'You did not confirm it in the application’s dialog.',
} as const);
