import { inject, injectable } from 'inversify';
import {
  type Actor,
  findDifferingMembers,
  isoTime,
  type JsonObject,
  type Refusal,
  createSignatureMismatch,
  VOTE_TYPE,
  type VoteSignature,
  type VoteStatement,
} from '@countersign/model';
import { isSignedBy, readSignedStatement, type SignedStatement } from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import { SigningKeyStore } from '../../ports/signing-keys.js';

/** Maximum difference between the time of a statement and the server's time, in either direction, in ms. */
export const SIGNING_WINDOW_MS = 600_000;

/** Verifies the signature of a vote with the registered keys. */
@injectable()
export class CheckSignature {
  constructor(
    @inject(SigningKeyStore) private readonly keys: SigningKeyStore,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Verifies a vote signature. An invalid signature is a result and not an error: a repeat of a recorded vote under its
   * idempotency key gets the same response, even if the key was revoked or the time window has passed since.
   */
  async checkVote(jws: string, voter: Actor): Promise<VoteSignature> {
    const signedStatement = readSignedStatement(jws, VOTE_TYPE);
    if (signedStatement === undefined) return failedSignature(invalidSignatureRefusal());
    const [[key], server] = await Promise.all([this.keys.findKeys([signedStatement.keyId]), this.keys.getServerId()]);
    if (key === undefined || voter.type !== 'user' || key.subject !== voter.id) {
      return failedSignature({
        code: 'signing_key_unknown',
        message: 'The signing key is not registered as yours. Register it first.',
      });
    }
    if (key.revokedAt !== null)
      return failedSignature({
        code: 'signing_key_revoked',
        message: 'The signing key was revoked. Sign with another key.',
      });
    if (key.enrolment === null) return failedSignature(NOT_ENROLLED_REFUSAL);
    if (!isSignedBy(signedStatement, key.publicKey)) return failedSignature(invalidSignatureRefusal());
    const { statement } = signedStatement;
    const refusal = checkEnvelope(signedStatement, { server }, VOTE_FIELDS, this.clock.now());
    // The interpreter compares the members with the expected values, which also checks their types.
    return refusal === undefined
      ? { kind: 'holds', statement: statement as unknown as VoteStatement, jws }
      : failedSignature(refusal);
  }
}

export const NOT_ENROLLED_REFUSAL: Refusal = Object.freeze({
  code: 'signing_key_not_enrolled',
  message:
    'The key of this signature is not enrolled: there is no proof yet that it is yours. Sign in again and register it again, countersign it with another of your keys, or ask an admin to approve it.',
});

const VOTE_FIELDS = ['runId', 'approvalId', 'round', 'decision', 'commentDigest', 'subjectDigest'];

/**
 * Checks the members that all statements have in common: the server, the key id and the time. Refuses missing members,
 * and members that neither this function nor the caller checks.
 *
 * @param expected the required values of members
 * @param otherFields the members that the caller compares
 */
export function checkEnvelope(
  { keyId, statement }: SignedStatement,
  expected: JsonObject,
  otherFields: readonly string[],
  now: number,
  inputField = 'signature',
): Refusal | undefined {
  const { at, ...rest } = statement;
  const checkedFields = Object.fromEntries(Object.entries(rest).filter(([name]) => !otherFields.includes(name)));
  const differingFields = [
    ...findDifferingMembers(checkedFields, { ...expected, keyId }),
    ...otherFields.filter((name) => !Object.hasOwn(statement, name)),
  ];
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(time) || isoTime(time) !== at) differingFields.push('at');
  if (differingFields.length > 0) return createSignatureMismatch(differingFields, inputField);
  if (Math.abs(now - time) <= SIGNING_WINDOW_MS) return undefined;
  return {
    code: 'signature_expired',
    message: `The signature is from ${isoTime(time)}, but the time of the server is ${isoTime(now)}: they differ by more than ten minutes. Sign again.`,
    details: { now: isoTime(now) },
  };
}

/** Returns the same refusal for every kind of invalid signature, because details would mostly help forgers. */
export function invalidSignatureRefusal(): Refusal {
  return {
    code: 'signature_invalid',
    message: 'The signature is not valid for this key or does not have the expected form. Nothing was recorded.',
  };
}

function failedSignature(refusal: Refusal): VoteSignature {
  return { kind: 'fails', ...refusal };
}
