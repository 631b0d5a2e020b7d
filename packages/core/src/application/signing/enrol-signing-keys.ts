import { inject, injectable } from 'inversify';
import { type AuditEntry, COUNTERSIGNATURE_TYPE, ApiError, type Refusal } from '@countersign/model';
import { isSignedBy, readSignedStatement } from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import { SigningKeyStore, type SigningKeyRecord } from '../../ports/signing-keys.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { signingKeyView, type SigningKeyView } from '../views/signing-key-view.js';
import { auditedKey } from './audited-key.js';
import { faultOfEnvelope, NOT_ENROLLED, notSigned } from './check-signature.js';

const REVOKED: Refusal = Object.freeze({
  code: 'signing_key_revoked',
  message: 'The key was revoked, which cannot be undone. Create another key.',
});

/** Enrols signing keys that were registered without a recent sign-in. Audits every action and refusal. */
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
    const audit = auditedKey(caller, 'signing_key.enrol', keyId, now);
    const refuse = (refusal: Refusal): Promise<never> => this.refuse(audit, refusal);
    if (actor.type !== 'user')
      return refuse({ code: 'service_cannot_decide', message: 'Only people decide approvals, so only people sign.' });
    const read = readSignedStatement(countersignature, COUNTERSIGNATURE_TYPE);
    const keys = await this.store.findKeys([keyId, ...(read === undefined ? [] : [read.keyId])]);
    const ofCaller = (id: string | undefined): SigningKeyRecord | undefined =>
      keys.find((key) => key.keyId === id && key.subject === actor.id);
    const key = ofCaller(keyId);
    if (key === undefined) throw new ApiError('signing_key_not_found', `You have no signing key ${keyId}.`);
    if (read === undefined) return refuse(notSigned());
    const by = ofCaller(read.keyId);
    if (by === undefined)
      return refuse({
        code: 'signing_key_unknown',
        message: 'The key of the countersignature is not registered as yours.',
      });
    if (by.revokedAt !== null) return refuse(REVOKED);
    if (by.enrolment === null) return refuse(NOT_ENROLLED);
    if (!isSignedBy(read, by.publicKey)) return refuse(notSigned());
    const fault = faultOfEnvelope(
      read,
      { server: await this.store.serverId(), subject: actor.id, enrolledKeyId: keyId },
      [],
      now,
      'countersignature',
    );
    if (fault !== undefined) return refuse(fault);
    const entry = { ...audit, data: { ...audit.data, enrolment: 'countersignature', by: by.keyId } };
    const enrolled = await this.store.enrolKey(
      keyId,
      { method: 'countersignature', by: by.keyId, at: now, countersignature },
      entry,
    );
    // The key was revoked after it was read.
    if (enrolled === 'no_countersigner') return refuse(REVOKED);
    return this.enrolled(enrolled, keyId, refuse);
  }

  /**
   * Enrols a key of another user, for whom the caller, an admin, vouches.
   *
   * @throws {ApiError} `service_cannot_decide`, `signing_key_not_found`, `signing_key_own`, `signing_key_revoked`
   */
  async approve(keyId: string, caller: Caller): Promise<SigningKeyView> {
    const { actor } = caller;
    const now = this.clock.now();
    const audit = auditedKey(caller, 'signing_key.enrol', keyId, now);
    const refuse = (refusal: Refusal): Promise<never> => this.refuse(audit, refusal);
    if (actor.type !== 'user')
      return refuse({ code: 'service_cannot_decide', message: 'Only people approve the signing keys of others.' });
    const [key] = await this.store.findKeys([keyId]);
    if (key === undefined) throw new ApiError('signing_key_not_found', `There is no signing key ${keyId}.`);
    if (key.subject === actor.id) {
      return refuse({
        code: 'signing_key_own',
        message:
          'You cannot approve your own key. Ask another admin to approve it, sign in again and register it again, or countersign it with another of your keys.',
      });
    }
    const entry = { ...audit, data: { ...audit.data, enrolment: 'admin', subject: key.subject } };
    return this.enrolled(
      await this.store.enrolKey(keyId, { method: 'admin', by: actor.id, at: now, countersignature: null }, entry),
      keyId,
      refuse,
    );
  }

  private enrolled(
    key: SigningKeyRecord | 'no_countersigner' | undefined,
    keyId: string,
    refuse: (refusal: Refusal) => Promise<never>,
  ): Promise<SigningKeyView> | SigningKeyView {
    if (key === undefined || key === 'no_countersigner')
      throw new ApiError('signing_key_not_found', `There is no signing key ${keyId}.`);
    return key.revokedAt === null ? signingKeyView(key) : refuse(REVOKED);
  }

  private async refuse(audit: AuditEntry, { code, message, details }: Refusal): Promise<never> {
    await this.storage.appendAudit([{ ...audit, result: 'refused', data: { ...audit.data, code } }]);
    throw new ApiError(code, message, details);
  }
}
