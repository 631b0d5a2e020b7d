import { createHash, createPublicKey, verify } from 'node:crypto';
import type { EvidencePack } from '@countersign/contract';
import { canonicalize, isEqual, type Check } from './checks.spec.support.js';

/**
 * Checks the signing keys and the signed votes as an auditor would, with only an evidence pack and the signing page of
 * the documentation.
 */
export function checkSignatures({ approvals, signingKeys, server, run }: EvidencePack, check: Check): void {
  for (const key of signingKeys) {
    check(
      createHash('sha256').update(canonicalize(key.publicKey)).digest('base64url') === key.keyId,
      `key ${key.keyId}: thumbprint`,
    );
    const { at, ...signedFields } = readSignedStatement(key, key.proof, 'countersign-signing-key+jws') ?? {};
    check(
      typeof at === 'string' &&
        isEqual(signedFields, { server: server.serverId, subject: key.subject, keyId: key.keyId }),
      `key ${key.keyId}: proof`,
    );
  }
  for (const { approvalId, round, digest, votes, signatureRequired } of approvals) {
    for (const { voteId, by, decision, comment, signature, keyId, at: castAt } of votes) {
      const name = `vote ${voteId}: signature`;
      check(signature !== null || (!signatureRequired && keyId === null), `${name} is present`);
      if (signature === null) continue;
      const key = signingKeys.find((each) => each.keyId === keyId);
      check(
        key?.subject === by && (key.revokedAt === null || key.revokedAt >= castAt),
        `${name} is by a key of the voter`,
      );
      const { at, ...signedFields } = (key && readSignedStatement(key, signature, 'countersign-vote+jws')) ?? {};
      const commentDigest = comment === null ? null : `sha256:${createHash('sha256').update(comment).digest('hex')}`;
      check(
        isEqual(signedFields, {
          server: server.serverId,
          runId: run.runId,
          approvalId,
          round,
          decision,
          commentDigest,
          subjectDigest: digest,
          keyId,
        }),
        `${name} covers this vote`,
      );
      check(Math.abs(Date.parse(String(at)) - Date.parse(castAt)) <= 600_000, `${name} has the time of the vote`);
    }
  }
}

function readSignedStatement(
  { publicKey, keyId }: EvidencePack['signingKeys'][number],
  jws: string,
  typ: string,
): Record<string, unknown> | undefined {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const decode = (part: string): string => Buffer.from(part, 'base64url').toString('utf8');
  if (decode(header) !== canonicalize({ alg: 'EdDSA', kid: keyId, typ })) return undefined;
  if (
    !verify(
      null,
      Buffer.from(`${header}.${payload}`),
      createPublicKey({ key: publicKey, format: 'jwk' }),
      Buffer.from(signature, 'base64url'),
    )
  )
    return undefined;
  return JSON.parse(decode(payload)) as Record<string, unknown>;
}
