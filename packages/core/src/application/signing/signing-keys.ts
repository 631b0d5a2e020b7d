import { inject, injectable } from 'inversify';
import { type AuditEntry, ApiError, KEY_TYPE, type Refusal } from '@countersign/model';
import {
  isSignedBy,
  isUsablePublicKey,
  readSignedStatement,
  computeThumbprint,
} from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import type { PageRequest } from '../../ports/records.js';
import { SigningKeyStore, type KeyEnrolment } from '../../ports/signing-keys.js';
import { StoragePort } from '../../ports/storage.js';
import { ApplicationSettings } from '../application-settings.js';
import type { Caller } from '../caller.js';
import { inputError } from '../errors.js';
import type { PageView } from '../run-queries.js';
import { toTimestamp } from '../views/to-json-response.js';
import { toSigningKeyView, type SigningKeyView } from '../views/signing-key-view.js';
import { checkEnvelope, invalidSignatureRefusal, SIGNING_WINDOW_MS } from './check-signature.js';
import { buildKeyAuditEntry } from './build-key-audit-entry.js';
import { canEnrolKey } from './can-enrol-key.js';

/** Maximum number of active keys of one user: a few devices, and sessions that keep their keys in memory only. */
const MAX_ACTIVE_KEYS = 20;

export interface RegisterKeyInput {
  readonly publicKey: { readonly x: string };
  readonly name: string;
  /** Proof of possession, a compact JWS. */
  readonly proof: string;
}

export type SigningInfoView = {
  serverId: string;
  now: string;
  windowSeconds: number;
  signIn: { maxAgeSeconds: number; acrValues: readonly string[] };
};

/**
 * Manages the keys that approvers sign votes with. Audits every action, and every refusal except of invalid input or an
 * unknown key.
 */
@injectable()
export class SigningKeys {
  constructor(
    @inject(SigningKeyStore) private readonly store: SigningKeyStore,
    @inject(StoragePort) private readonly storage: Pick<StoragePort, 'appendAudit'>,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  async getSigningInfo(): Promise<SigningInfoView> {
    const { maxAgeMs, acrValues } = this.settings.enrolmentSignIn;
    return {
      serverId: await this.store.getServerId(),
      now: toTimestamp(this.clock.now()),
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
    return { items: items.map(toSigningKeyView), nextCursor };
  }

  /**
   * Registers a key for the caller, who proves possession with `proof`. The key is enrolled immediately if the caller
   * signed in recently. Otherwise it must be enrolled later, because someone who stole a token cannot sign in.
   *
   * @throws {ApiError} `service_cannot_decide`, `validation_failed`, `signature_invalid`, `signature_expired`,
   *   `signing_key_taken`, `signing_key_revoked`, `too_many_signing_keys`
   */
  async register({ publicKey: { x }, name, proof }: RegisterKeyInput, caller: Caller): Promise<SigningKeyView> {
    const keyId = computeThumbprint(x);
    const auditEntry = this.buildAuditEntry(caller, 'signing_key.register', keyId);
    const rejectAndAudit = (refusal: Refusal): Promise<never> => this.refuse(auditEntry, refusal);
    const { actor } = caller;
    if (actor.type !== 'user')
      return rejectAndAudit({
        code: 'service_cannot_decide',
        message: 'Only people decide approvals, so only people can have signing keys.',
      });
    if (!isUsablePublicKey(x)) {
      throw inputError('validation_failed', 'This public key cannot be used for signatures.', [
        {
          pointer: '/publicKey/x',
          code: 'invalid',
          message: 'Must be the 32 bytes of an Ed25519 public key in base64url, and not of small order.',
        },
      ]);
    }
    const signedStatement = readSignedStatement(proof, KEY_TYPE);
    if (signedStatement === undefined || signedStatement.keyId !== keyId || !isSignedBy(signedStatement, x))
      return rejectAndAudit(invalidSignatureRefusal());
    const now = this.clock.now();
    const envelopeRefusal = checkEnvelope(
      signedStatement,
      { server: await this.store.getServerId(), subject: actor.id },
      [],
      now,
      'proof',
    );
    if (envelopeRefusal !== undefined) return rejectAndAudit(envelopeRefusal);
    const enrolment: KeyEnrolment | null = canEnrolKey(caller.signIn, this.settings.enrolmentSignIn, now)
      ? { method: 'sign_in', by: null, at: now }
      : null;
    const entry = { ...auditEntry, data: { ...auditEntry.data, name, enrolment: enrolment?.method ?? null } };
    const key = await this.store.registerKey(
      { keyId, subject: actor.id, name, publicKey: x, proof, createdAt: now, enrolment },
      MAX_ACTIVE_KEYS,
      entry,
    );
    if (key === 'crowded')
      return rejectAndAudit({
        code: 'too_many_signing_keys',
        message: `You have ${MAX_ACTIVE_KEYS} active signing keys, which is the maximum. Revoke the keys that you do not use.`,
      });
    if (key.subject !== actor.id)
      return rejectAndAudit({
        code: 'signing_key_taken',
        message: 'This key is registered to another person. Create your own key.',
      });
    if (key.revokedAt !== null)
      return rejectAndAudit({
        code: 'signing_key_revoked',
        message: 'This key was revoked, which cannot be undone. Create another key.',
      });
    return toSigningKeyView(key);
  }

  /**
   * Revokes a key. The key must be the caller's own, unless `asAdmin` is set.
   *
   * @throws {ApiError} `signing_key_not_found`
   */
  async revoke(keyId: string, caller: Caller, asAdmin = false): Promise<SigningKeyView> {
    // Services have no keys; without this check, a service could revoke the keys of a user with the same id.
    const isAllowed = asAdmin || caller.actor.type === 'user';
    const key = isAllowed
      ? await this.store.revokeKey(
          keyId,
          asAdmin ? null : caller.actor.id,
          this.buildAuditEntry(caller, 'signing_key.revoke', keyId),
        )
      : undefined;
    if (key === undefined)
      throw new ApiError(
        'signing_key_not_found',
        `There is no signing key ${keyId}${asAdmin ? '' : ' that belongs to you'}.`,
      );
    return toSigningKeyView(key);
  }

  private buildAuditEntry(caller: Caller, action: string, keyId: string): AuditEntry {
    return buildKeyAuditEntry(caller, action, keyId, this.clock.now());
  }

  private async refuse(auditEntry: AuditEntry, { code, message, details }: Refusal): Promise<never> {
    await this.storage.appendAudit([{ ...auditEntry, result: 'refused', data: { ...auditEntry.data, code } }]);
    throw new ApiError(code, message, details);
  }
}
