import { inject, injectable } from 'inversify';
import {
  type Actor,
  differences,
  isoTime,
  type JsonObject,
  type Refusal,
  signatureDiffers,
  VOTE_TYPE,
  type VoteSignature,
  type VoteStatement,
} from '@countersign/model';
import { isSignedBy, readSignedStatement, type SignedStatement } from '@countersign/model/signed-statement';
import { ClockPort } from '../../ports/clock.js';
import { SigningKeyStore } from '../../ports/signing-keys.js';

/** Maximum difference between the time of a statement and the server's time, either way, in ms. */
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
  async ofVote(jws: string, voter: Actor): Promise<VoteSignature> {
    const read = readSignedStatement(jws, VOTE_TYPE);
    if (read === undefined) return fails(notSigned());
    const [[key], server] = await Promise.all([this.keys.findKeys([read.keyId]), this.keys.serverId()]);
    if (key === undefined || voter.type !== 'user' || key.subject !== voter.id) {
      return fails({
        code: 'signing_key_unknown',
        message: 'The signing key is not registered as yours. Register it first.',
      });
    }
    if (key.revokedAt !== null)
      return fails({
        code: 'signing_key_revoked',
        message: 'The signing key was revoked. Sign with another key.',
      });
    if (key.enrolment === null) return fails(NOT_ENROLLED);
    if (!isSignedBy(read, key.publicKey)) return fails(notSigned());
    const { statement } = read;
    const fault = faultOfEnvelope(read, { server }, VOTE_MEMBERS, this.clock.now());
    // The members, and so their types, are compared with the expected values.
    return fault === undefined
      ? { kind: 'holds', statement: statement as unknown as VoteStatement, jws }
      : fails(fault);
  }
}

export const NOT_ENROLLED: Refusal = Object.freeze({
  code: 'signing_key_not_enrolled',
  message:
    'The key of this signature is not enrolled: there is no proof yet that it is yours. Sign in again and register it again, countersign it with another of your keys, or ask another admin to approve it.',
});

const VOTE_MEMBERS = ['runId', 'approvalId', 'round', 'decision', 'commentDigest', 'subjectDigest'];

/**
 * Checks what all statements have in common: they are for this server, by the key that they name, current, and have no
 * unchecked members.
 *
 * @param expected the required values of members
 * @param others the members that the caller compares
 */
export function faultOfEnvelope(
  { keyId, statement }: SignedStatement,
  expected: JsonObject,
  others: readonly string[],
  now: number,
  member = 'signature',
): Refusal | undefined {
  const { at, ...rest } = statement;
  const compared = Object.fromEntries(Object.entries(rest).filter(([name]) => !others.includes(name)));
  const names = [
    ...differences(compared, { ...expected, keyId }),
    ...others.filter((name) => !Object.hasOwn(statement, name)),
  ];
  const time = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(time) || isoTime(time) !== at) names.push('at');
  if (names.length > 0) return signatureDiffers(names, member);
  if (Math.abs(now - time) <= SIGNING_WINDOW_MS) return undefined;
  return {
    code: 'signature_expired',
    message: `The signature is from ${isoTime(time)}, but the time of the server is ${isoTime(now)}: they differ by more than ten minutes. Sign again.`,
    details: { now: isoTime(now) },
  };
}

/** Returns one refusal for everything that is not a signature, because details would mostly help forgers. */
export function notSigned(): Refusal {
  return {
    code: 'signature_invalid',
    message: 'The signature is not valid for this key or does not have the expected form. Nothing was recorded.',
  };
}

function fails(refusal: Refusal): VoteSignature {
  return { kind: 'fails', ...refusal };
}
