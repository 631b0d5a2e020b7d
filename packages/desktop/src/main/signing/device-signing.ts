import {
  ConnectionError,
  buildCountersignatureSigningInput,
  buildKeySigningInput,
  ProblemError,
  type Client,
  type SigningKey,
} from '@countersign/contract';
import type { ActionResult } from '../../common/bridge.js';
import type { SigningState, SigningStatus } from '../../common/signing.js';
import type { Log } from '../app/log.js';
import { toFailure } from '../session/to-failure.js';
import type { Confirm } from './confirm.js';
import type { KeyAccount, KeyRecord, DeviceKeyStore } from './device-key-store.js';
import type { FreshSignIn } from '../session/oidc.js';
import {
  createCountersignPrompt,
  createRevokePrompt,
  createSetUpPrompt,
  createSignOnlyRequiredPrompt,
} from './key-prompts.js';
import { SigningPair } from './signing-pair.js';

/** Maximum number of pages that are searched for a key. A user with more pages has revoked thousands of keys. */
const MAX_PAGES = 10;

export interface DeviceSigningOptions {
  readonly client: Pick<
    Client,
    'getSigning' | 'listMySigningKeys' | 'registerSigningKey' | 'countersignMySigningKey' | 'revokeMySigningKey'
  >;
  readonly account: KeyAccount;
  readonly server: { readonly name: string; readonly url: string };
  readonly store: DeviceKeyStore;
  readonly confirm: Confirm;
  readonly log: Log;
  readonly deviceName: string;
  /** Asks the user to sign in again at the issuer, as the server requires for enrolling a key. */
  signInAgain(requirements: FreshSignIn): Promise<ActionResult>;
  onState(): void;
}

/** State of this device's key at the server; `unknown` if it was not requested or the server did not respond. */
type ServerKeyState = 'unknown' | 'active' | 'pending' | 'revoked' | 'absent' | 'other-server';

/**
 * Manages the signing key of one user at one server on this device: creates, registers, enrols, checks and revokes it.
 */
export class DeviceSigning {
  private serverKeyState: ServerKeyState = 'unknown';
  private queue: Promise<unknown> = Promise.resolve();

  constructor(readonly options: DeviceSigningOptions) {}

  get state(): SigningState {
    const { store, deviceName } = this.options;
    const { record } = this;
    const key = record === undefined ? null : { keyId: record.keyId, name: record.name, createdAt: record.createdAt };
    return {
      status: this.status,
      key,
      keeps: store.isPersistent,
      signsEveryVote: record?.signsEvery ?? false,
      deviceName,
    };
  }

  /** The key for signing votes; `undefined` if votes cannot be signed. */
  get readyKey(): { readonly pair: SigningPair; readonly record: KeyRecord } | undefined {
    const { record, pair } = this;
    return record === undefined || pair === undefined || this.status !== 'ready' ? undefined : { record, pair };
  }

  /** Checks whether the server still accepts the key. If the server does not respond, the known state is kept. */
  check(): Promise<void> {
    return this.runInSequence(async () => {
      const { record } = this;
      if (record !== undefined) {
        try {
          this.serverKeyState = await this.loadServerKeyState(record);
          if ((this.serverKeyState === 'active' || this.serverKeyState === 'pending') && !record.registered)
            this.options.store.update(this.options.account, { registered: true });
        } catch (error) {
          if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
          this.options.log.info('signing.not_checked');
        }
      }
      this.options.onState();
    });
  }

  /** Handles a refused vote: if the code concerns the key, the key's state is updated from it. */
  onVoteRefused(code: string): void {
    const newState = STATES_BY_ERROR_CODE[code];
    if (newState === undefined) return;
    this.serverKeyState = newState;
    this.options.onState();
  }

  /** Updates the state of the key when a different server responds at this address. */
  onServerMismatch(): void {
    this.serverKeyState = 'other-server';
    this.options.onState();
  }

  /**
   * Creates a key and registers it, or completes an interrupted registration. The key is stored first: after a crash,
   * the server has no key that is missing here, and registering the same key again has no effect.
   */
  setUp(name: string): Promise<ActionResult> {
    return this.runInSequence(() =>
      this.toActionResult(async () => {
        const { client, account, store, confirm, server, log } = this.options;
        if (this.status === 'ready') return { ok: true };
        const { record, pair, status } = this;
        const { serverId, now } = await client.getSigning();
        const offset = Date.parse(now) - Date.now();
        const replacedKey = status === 'lost' && this.serverKeyState === 'active' ? record : undefined;
        if (
          !(await confirm(
            createSetUpPrompt({ server, subject: account.subject, name, keeps: store.isPersistent, replacedKey }),
          ))
        )
          return DECLINED;
        const isRetry = status === 'unregistered' || status === 'not-mine';
        const newPair = isRetry && record?.server === serverId && pair !== undefined ? pair : SigningPair.generate();
        const getServerTime = (): string => new Date(Date.now() + offset).toISOString();
        store.put(account, newPair, {
          server: serverId,
          name,
          createdAt: getServerTime(),
          registered: false,
          signsEvery: record?.signsEvery ?? false,
        });
        this.serverKeyState = 'unknown';
        try {
          this.serverKeyState = await this.register(newPair, name, serverId, getServerTime());
        } catch (error) {
          // A key that the server has certainly refused is useless. If the server may have accepted it, the
          // registration is completed later.
          if (error instanceof ProblemError && error.status < 500 && !error.retryable) store.forget(account);
          throw error;
        }
        store.update(account, { registered: true });
        log.info('signing.set_up', { kept: store.isPersistent });
        // If revoking fails, the key stays in the list, where it can be revoked.
        if (replacedKey !== undefined)
          await client
            .revokeMySigningKey({ keyId: replacedKey.keyId })
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
    return this.runInSequence(() =>
      this.toActionResult(async () => {
        const { client, log, signInAgain } = this.options;
        const { record, pair } = this;
        if (this.status !== 'not-enrolled' || record === undefined || pair === undefined)
          return { ok: false, code: 'no_signing_key', message: 'This device has no key to enrol.' };
        const tryRegister = async (): Promise<boolean> => {
          const { serverId, now } = await client.getSigning();
          if (serverId === record.server) this.serverKeyState = await this.register(pair, record.name, serverId, now);
          return this.serverKeyState === 'active';
        };
        if (!(await tryRegister())) {
          const signInResult = await signInAgain((await client.getSigning()).signIn);
          if (!signInResult.ok) return signInResult;
          if (!(await tryRegister())) return SIGN_IN_TOO_OLD;
        }
        log.info('signing.enrolled');
        return { ok: true };
      }),
    );
  }

  /** Enrols another key of this user with a signature of this device's key, after confirmation. */
  countersign(keyId: string): Promise<ActionResult> {
    return this.runInSequence(() =>
      this.toActionResult(async () => {
        const { client, account, confirm, server, log } = this.options;
        const { readyKey } = this;
        if (readyKey === undefined)
          return { ok: false, code: 'no_signing_key', message: 'This device has no key to sign with.' };
        const key = await this.findKey(keyId);
        if (key === undefined)
          return { ok: false, code: 'signing_key_not_found', message: 'The server has no key of yours with this id.' };
        if (!(await confirm(createCountersignPrompt({ server, key })))) return DECLINED;
        const { serverId, now } = await client.getSigning();
        if (serverId !== readyKey.record.server)
          return {
            ok: false,
            code: 'other_server',
            message: 'A different server is responding at this address. Nothing was signed.',
          };
        const statement = {
          server: serverId,
          subject: account.subject,
          enrolledKeyId: keyId,
          keyId: readyKey.pair.keyId,
          at: now,
        };
        await client.countersignMySigningKey({
          keyId,
          body: { countersignature: readyKey.pair.signStatement(buildCountersignatureSigningInput(statement)) },
        });
        log.info('signing.countersigned');
        return { ok: true };
      }),
    );
  }

  /** Revokes a key of this user, this device's or another one, after confirmation. */
  revoke(keyId: string): Promise<ActionResult> {
    return this.runInSequence(() =>
      this.toActionResult(async () => {
        const { client, account, store, confirm, server, log } = this.options;
        const key = await this.findKey(keyId);
        if (key === undefined)
          return { ok: false, code: 'signing_key_not_found', message: 'The server has no key of yours with this id.' };
        const isThisDevice = this.record?.keyId === keyId;
        if (key.revokedAt === null) {
          if (!(await confirm(createRevokePrompt({ server, key, isThisDevice })))) return DECLINED;
          await client.revokeMySigningKey({ keyId });
          log.info('signing.revoked', { here: isThisDevice });
        }
        if (isThisDevice) {
          store.forget(account);
          this.serverKeyState = 'unknown';
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
    return this.runInSequence(() =>
      this.toActionResult(async () => {
        const { account, store, confirm, server } = this.options;
        if (this.record === undefined) return { ok: false, code: 'no_signing_key', message: 'This device has no key.' };
        if (!on && this.record.signsEvery && !(await confirm(createSignOnlyRequiredPrompt(server)))) return DECLINED;
        store.update(account, { signsEvery: on });
        return { ok: true };
      }),
    );
  }

  private get record(): KeyRecord | undefined {
    return this.options.store.findRecord(this.options.account);
  }

  private get pair(): SigningPair | undefined {
    return this.options.store.getPair(this.options.account);
  }

  private get status(): SigningStatus {
    const { record, serverKeyState } = this;
    if (record === undefined) return 'none';
    if (this.pair === undefined) return 'lost';
    if (serverKeyState === 'other-server' || serverKeyState === 'revoked') return serverKeyState;
    if (serverKeyState === 'pending') return 'not-enrolled';
    if (serverKeyState === 'absent') return record.registered ? 'not-mine' : 'unregistered';
    return record.registered ? 'ready' : 'unregistered';
  }

  private async loadServerKeyState({ keyId, server }: KeyRecord): Promise<ServerKeyState> {
    if ((await this.options.client.getSigning()).serverId !== server) return 'other-server';
    const key = await this.findKey(keyId);
    if (key === undefined) return 'absent';
    return key.revokedAt === null ? toServerKeyState(key) : 'revoked';
  }

  /** @param at server time */
  private async register(pair: SigningPair, name: string, server: string, at: string): Promise<ServerKeyState> {
    const { client, account } = this.options;
    const statement = { server, subject: account.subject, keyId: pair.keyId, at };
    return toServerKeyState(
      await client.registerSigningKey({
        body: { publicKey: pair.publicKey, name, proof: pair.signStatement(buildKeySigningInput(statement)) },
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

  private async toActionResult(action: () => Promise<ActionResult>): Promise<ActionResult> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ProblemError) && !(error instanceof ConnectionError)) throw error;
      return { ok: false, ...toFailure(error) };
    } finally {
      this.options.onState();
    }
  }

  /** Runs actions one after the other, so that two concurrent set-ups create only one key. */
  private runInSequence<T>(action: () => Promise<T>): Promise<T> {
    const result = this.queue.then(action, action);
    this.queue = result.catch(() => undefined);
    return result;
  }
}

/**
 * Returns the state of a key that is not revoked. Older servers do not report `enrolment`; their keys count as active.
 */
function toServerKeyState({ enrolment }: SigningKey): ServerKeyState {
  return enrolment === null ? 'pending' : 'active';
}

/** State of the key by the error code of a refused vote. */
const STATES_BY_ERROR_CODE: Readonly<Record<string, ServerKeyState>> = Object.freeze({
  signing_key_revoked: 'revoked',
  signing_key_unknown: 'absent',
  signing_key_not_enrolled: 'pending',
});

const SIGN_IN_TOO_OLD = Object.freeze({
  ok: false,
  code: 'signing_key_not_enrolled',
  message:
    'The issuer did not confirm a recent sign-in that meets the server’s requirements. Confirm the key on another of your devices, or ask an administrator to approve it.',
} as const);

const DECLINED = Object.freeze({
  ok: false,
  code: 'declined',
  message: 'You did not confirm the action in the system dialog.',
} as const);
