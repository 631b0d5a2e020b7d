import { inject, injectable } from 'inversify';
import { type AuditEntry, ApiError, KEY_TYPE, type Refusal } from '@countersign/model';
import { isSignedBy, isUsablePublicKey, readSignedStatement, thumbprint } from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import type { PageRequest } from '../../ports/records.js';
import { SigningKeyStore, type KeyEnrolment } from '../../ports/signing-keys.js';
import { StoragePort } from '../../ports/storage.js';
import { ApplicationSettings } from '../application-settings.js';
import type { Caller } from '../caller.js';
import { badInput } from '../refuse.js';
import type { PageView } from '../run-queries.js';
import { timestamp } from '../views/as-response.js';
import { signingKeyView, type SigningKeyView } from '../views/signing-key-view.js';
import { faultOfEnvelope, notSigned, SIGNING_WINDOW_MS } from './check-signature.js';
import { auditedKey } from './audited-key.js';
import { isEnrolling } from './sign-in-proof.js';

/** Maximum number of active keys of one user: a few devices, and sessions that keep their keys in memory only. */
const MAX_ACTIVE = 20;

export interface RegisterKeyInput {
  readonly publicKey: { readonly x: string };
  readonly name: string;
  /** Proof of possession, a compact JWS. */
  readonly proof: string;
}

export type SigningView = {
  serverId: string;
  now: string;
  windowSeconds: number;
  signIn: { maxAgeSeconds: number; acrValues: readonly string[] };
};

/** Manages the keys that approvers sign votes with. Audits every action and refusal. */
@injectable()
export class SigningKeys {
  constructor(
    @inject(SigningKeyStore) private readonly store: SigningKeyStore,
    @inject(StoragePort) private readonly storage: Pick<StoragePort, 'appendAudit'>,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  async signing(): Promise<SigningView> {
    const { maxAgeMs, acrValues } = this.settings.signInThatEnrols;
    return {
      serverId: await this.store.serverId(),
      now: timestamp(this.clock.now()),
      windowSeconds: SIGNING_WINDOW_MS / 1000,
      signIn: { maxAgeSeconds: maxAgeMs / 1000, acrValues },
    };
  }

  /**
   * Returns the keys of a user, newest first.
   *
   * @throws {ApiError} `invalid_cursor`
   */
  async list(subject: string, page: PageRequest): Promise<PageView<SigningKeyView>> {
    const { items, nextCursor } = await this.store.listKeys(subject, page);
    return { items: items.map(signingKeyView), nextCursor };
  }

  /**
   * Registers a key for the caller, who proves possession with `proof`. The key counts immediately if the caller signed
   * in recently, otherwise after its enrolment, because a thief of a token cannot sign in.
   *
   * @throws {ApiError} `service_cannot_decide`, `validation_failed`, `signature_invalid`, `signature_expired`,
   *   `signing_key_taken`, `signing_key_revoked`, `too_many_signing_keys`
   */
  async register({ publicKey: { x }, name, proof }: RegisterKeyInput, caller: Caller): Promise<SigningKeyView> {
    const keyId = thumbprint(x);
    const audit = this.entry(caller, 'signing_key.register', keyId);
    const refuse = (refusal: Refusal): Promise<never> => this.refuse(audit, refusal);
    const { actor } = caller;
    if (actor.type !== 'user')
      return refuse({ code: 'service_cannot_decide', message: 'Only people decide approvals, so only people sign.' });
    if (!isUsablePublicKey(x)) {
      throw badInput('validation_failed', 'This public key is too weak to sign with.', [
        {
          pointer: '/publicKey/x',
          code: 'invalid',
          message: 'Must be the 32 bytes of an Ed25519 public key in base64url, and not of small order.',
        },
      ]);
    }
    const read = readSignedStatement(proof, KEY_TYPE);
    if (read === undefined || read.keyId !== keyId || !isSignedBy(read, x)) return refuse(notSigned());
    const now = this.clock.now();
    const fault = faultOfEnvelope(read, { server: await this.store.serverId(), subject: actor.id }, [], now, 'proof');
    if (fault !== undefined) return refuse(fault);
    const enrolment: KeyEnrolment | null = isEnrolling(caller.signIn, this.settings.signInThatEnrols, now)
      ? { method: 'sign_in', by: null, at: now }
      : null;
    const entry = { ...audit, data: { ...audit.data, name, enrolment: enrolment?.method ?? null } };
    const key = await this.store.registerKey(
      { keyId, subject: actor.id, name, publicKey: x, proof, createdAt: now, enrolment },
      MAX_ACTIVE,
      entry,
    );
    if (key === 'crowded')
      return refuse({
        code: 'too_many_signing_keys',
        message: `You have ${MAX_ACTIVE} active signing keys, which is the maximum. Revoke the keys that you do not use.`,
      });
    if (key.subject !== actor.id)
      return refuse({
        code: 'signing_key_taken',
        message: 'This key is registered to another person. Create your own key.',
      });
    if (key.revokedAt !== null)
      return refuse({
        code: 'signing_key_revoked',
        message: 'This key was revoked, which cannot be undone. Create another key.',
      });
    return signingKeyView(key);
  }

  /**
   * Revokes a key. The key must be the caller's own, unless `anybody` is set.
   *
   * @throws {ApiError} `signing_key_not_found`
   */
  async revoke(keyId: string, caller: Caller, anybody = false): Promise<SigningKeyView> {
    // Services have no keys; without this check, a service could revoke the keys of a user with the same id.
    const may = anybody || caller.actor.type === 'user';
    const key = may
      ? await this.store.revokeKey(
          keyId,
          anybody ? null : caller.actor.id,
          this.entry(caller, 'signing_key.revoke', keyId),
        )
      : undefined;
    if (key === undefined)
      throw new ApiError('signing_key_not_found', `There is no signing key ${keyId}${anybody ? '' : ' of yours'}.`);
    return signingKeyView(key);
  }

  private entry(caller: Caller, action: string, keyId: string): AuditEntry {
    return auditedKey(caller, action, keyId, this.clock.now());
  }

  private async refuse(audit: AuditEntry, { code, message, details }: Refusal): Promise<never> {
    await this.storage.appendAudit([{ ...audit, result: 'refused', data: { ...audit.data, code } }]);
    throw new ApiError(code, message, details);
  }
}
