import { inject, injectable } from 'inversify';
import { type AuditEntry, COUNTERSIGNATURE_TYPE, ApiError, type Refusal } from '@countersign/model';
import { isSignedBy, readSignedStatement } from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import { SigningKeyStore, type SigningKeyRecord } from '../../ports/signing-keys.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { toSigningKeyView, type SigningKeyView } from '../views/signing-key-view.js';
import { buildKeyAuditEntry } from './build-key-audit-entry.js';
import { checkEnvelope, NOT_ENROLLED_REFUSAL, invalidSignatureRefusal } from './check-signature.js';

const REVOKED_REFUSAL: Refusal = Object.freeze({
  code: 'signing_key_revoked',
  message: 'The key was revoked, which cannot be undone. Create another key.',
});

/**
 * Enrols signing keys that were registered without a recent sign-in. Audits every action, and every refusal except of
 * an unknown key.
 */
@injectable()
export class EnrolSigningKeys {
  constructor(
    @inject(SigningKeyStore) private readonly store: SigningKeyStore,
    @inject(StoragePort) private readonly storage: Pick<StoragePort, 'appendAudit'>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Enrols one of the caller's keys with the signature of another key of theirs that is already enrolled.
   *
   * @param countersignature a compact JWS
   * @throws {ApiError} `service_cannot_decide`, `signing_key_not_found`, `signature_invalid`, `signature_expired`,
   *   `signing_key_unknown`, `signing_key_revoked`, `signing_key_not_enrolled`
   */
  async countersign(keyId: string, countersignature: string, caller: Caller): Promise<SigningKeyView> {
    const { actor } = caller;
    const now = this.clock.now();
    const auditEntry = buildKeyAuditEntry(caller, 'signing_key.enrol', keyId, now);
    const rejectAndAudit = (refusal: Refusal): Promise<never> => this.refuse(auditEntry, refusal);
    if (actor.type !== 'user')
      return rejectAndAudit({
        code: 'service_cannot_decide',
        message: 'Only people decide approvals, so only people can have signing keys.',
      });
    const signedStatement = readSignedStatement(countersignature, COUNTERSIGNATURE_TYPE);
    const keys = await this.store.findKeys([keyId, ...(signedStatement === undefined ? [] : [signedStatement.keyId])]);
    const findOwnKey = (id: string | undefined): SigningKeyRecord | undefined =>
      keys.find((key) => key.keyId === id && key.subject === actor.id);
    const key = findOwnKey(keyId);
    if (key === undefined) throw new ApiError('signing_key_not_found', `You have no signing key ${keyId}.`);
    if (signedStatement === undefined) return rejectAndAudit(invalidSignatureRefusal());
    const countersigningKey = findOwnKey(signedStatement.keyId);
    if (countersigningKey === undefined)
      return rejectAndAudit({
        code: 'signing_key_unknown',
        message:
          'The key of the countersignature is not registered as yours. Countersign with one of your enrolled keys.',
      });
    if (countersigningKey.revokedAt !== null) return rejectAndAudit(REVOKED_REFUSAL);
    if (countersigningKey.enrolment === null) return rejectAndAudit(NOT_ENROLLED_REFUSAL);
    if (!isSignedBy(signedStatement, countersigningKey.publicKey)) return rejectAndAudit(invalidSignatureRefusal());
    const envelopeRefusal = checkEnvelope(
      signedStatement,
      { server: await this.store.getServerId(), subject: actor.id, enrolledKeyId: keyId },
      [],
      now,
      'countersignature',
    );
    if (envelopeRefusal !== undefined) return rejectAndAudit(envelopeRefusal);
    const enrolmentEntry = {
      ...auditEntry,
      data: { ...auditEntry.data, enrolment: 'countersignature', by: countersigningKey.keyId },
    };
    const enrolmentResult = await this.store.enrolKey(
      keyId,
      { method: 'countersignature', by: countersigningKey.keyId, at: now, countersignature },
      enrolmentEntry,
    );
    // The countersigning key was revoked after it was read.
    if (enrolmentResult === 'no_countersigner') return rejectAndAudit(REVOKED_REFUSAL);
    return this.toEnrolledView(enrolmentResult, keyId, rejectAndAudit);
  }

  /**
   * Enrols a key of another user. The caller is an admin who vouches for that user.
   *
   * @throws {ApiError} `service_cannot_decide`, `signing_key_not_found`, `signing_key_own`, `signing_key_revoked`
   */
  async approve(keyId: string, caller: Caller): Promise<SigningKeyView> {
    const { actor } = caller;
    const now = this.clock.now();
    const auditEntry = buildKeyAuditEntry(caller, 'signing_key.enrol', keyId, now);
    const rejectAndAudit = (refusal: Refusal): Promise<never> => this.refuse(auditEntry, refusal);
    if (actor.type !== 'user')
      return rejectAndAudit({
        code: 'service_cannot_decide',
        message: 'Only people can approve the signing keys of others.',
      });
    const [key] = await this.store.findKeys([keyId]);
    if (key === undefined) throw new ApiError('signing_key_not_found', `There is no signing key ${keyId}.`);
    if (key.subject === actor.id) {
      return rejectAndAudit({
        code: 'signing_key_own',
        message:
          'You cannot approve your own key. Ask another admin to approve it, sign in again and register it again, or countersign it with another of your keys.',
      });
    }
    const enrolmentEntry = { ...auditEntry, data: { ...auditEntry.data, enrolment: 'admin', subject: key.subject } };
    return this.toEnrolledView(
      await this.store.enrolKey(
        keyId,
        { method: 'admin', by: actor.id, at: now, countersignature: null },
        enrolmentEntry,
      ),
      keyId,
      rejectAndAudit,
    );
  }

  private toEnrolledView(
    key: SigningKeyRecord | 'no_countersigner' | undefined,
    keyId: string,
    onRefused: (refusal: Refusal) => Promise<never>,
  ): Promise<SigningKeyView> | SigningKeyView {
    if (key === undefined || key === 'no_countersigner')
      throw new ApiError('signing_key_not_found', `There is no signing key ${keyId}.`);
    return key.revokedAt === null ? toSigningKeyView(key) : onRefused(REVOKED_REFUSAL);
  }

  private async refuse(auditEntry: AuditEntry, { code, message, details }: Refusal): Promise<never> {
    await this.storage.appendAudit([{ ...auditEntry, result: 'refused', data: { ...auditEntry.data, code } }]);
    throw new ApiError(code, message, details);
  }
}
