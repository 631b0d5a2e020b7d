import { isJsonObject, type JsonObject } from '../json.js';
import {
  isUsablePublicKey,
  readSignedStatement,
  computeThumbprint,
  type SignedStatement,
} from '../read-signed-statement.js';
import { findDifferingMembers, KEY_TYPE, VOTE_TYPE, buildVerifiableVoteFields } from '../signed-vote.js';
import type { ApprovalDecision } from '../run-state.js';
import type { ReportProblem } from './integrity-problem.js';
import { requireObject, requireObjects, stringOr } from './pack-members.js';

/**
 * Returns whether a statement was signed with a key. A parameter of the checks, because Node.js and browsers have
 * different cryptographic libraries.
 *
 * @param publicKey the 32 bytes of the Ed25519 key in base64url
 */
export type IsSignedBy = (statement: SignedStatement, publicKey: string) => boolean;

/** Checks the signed votes and the proofs with which their keys were registered (ADR 61, docs/signed-votes.md). */
export function verifySignatures(pack: JsonObject, isSignedBy: IsSignedBy, report: ReportProblem): void {
  const server = stringOr(requireObject(pack, 'server', '', report)['serverId'], '');
  const runId = stringOr(requireObject(pack, 'run', '', report)['runId'], '');
  const keys = new Map<string, JsonObject>();
  for (const [index, key] of requireObjects(pack, 'signingKeys', '', report).entries()) {
    const keyId = stringOr(key['keyId'], '');
    keys.set(keyId, key);
    const { at: _at, ...statedFields } =
      readVerifiedStatement(key, key['proof'], KEY_TYPE, isSignedBy)?.statement ?? {};
    const isProven =
      computeThumbprint(getPublicKey(key)) === keyId &&
      findDifferingMembers(statedFields, { server, subject: stringOr(key['subject'], ''), keyId }).length === 0;
    if (!isProven)
      report(
        'signature_invalid',
        `/signingKeys/${index}/proof`,
        'The key was not registered with this proof by this person.',
      );
  }
  for (const [index, approval] of requireObjects(pack, 'approvals', '', report).entries()) {
    for (const [voteIndex, vote] of requireObjects(approval, 'votes', `/approvals/${index}`, report).entries()) {
      if (typeof vote['signature'] !== 'string') continue;
      if (!isVoteSignatureValid(approval, vote, keys.get(stringOr(vote['keyId'], '')), { server, runId }, isSignedBy))
        report(
          'signature_invalid',
          `/approvals/${index}/votes/${voteIndex}/signature`,
          'This vote was not signed by its voter.',
        );
    }
  }
}

function isVoteSignatureValid(
  approval: JsonObject,
  vote: JsonObject,
  key: JsonObject | undefined,
  { server, runId }: { readonly server: string; readonly runId: string },
  isSignedBy: IsSignedBy,
): boolean {
  if (key === undefined || key['subject'] !== vote['by']) return false;
  const statement = readVerifiedStatement(key, vote['signature'], VOTE_TYPE, isSignedBy)?.statement;
  if (statement === undefined) return false;
  const { at: _at, ...statedFields } = statement;
  const approvalRound = {
    approvalId: stringOr(approval['approvalId'], ''),
    round: Number(approval['round']),
    digest: stringOr(approval['digest'], ''),
  };
  const votedFields = buildVerifiableVoteFields(runId, approvalRound, {
    decision: vote['decision'] as ApprovalDecision,
    comment: stringOr(vote['comment'], null),
  });
  return findDifferingMembers(statedFields, { ...votedFields, server, keyId: stringOr(key['keyId'], '') }).length === 0;
}

/** Returns a statement if its signature verifies with the key. */
function readVerifiedStatement(
  key: JsonObject,
  jws: unknown,
  typ: string,
  isSignedBy: IsSignedBy,
): SignedStatement | undefined {
  const parsed = typeof jws === 'string' ? readSignedStatement(jws, typ) : undefined;
  return parsed !== undefined &&
    isUsablePublicKey(getPublicKey(key)) &&
    parsed.keyId === key['keyId'] &&
    isSignedBy(parsed, getPublicKey(key))
    ? parsed
    : undefined;
}

function getPublicKey({ publicKey }: JsonObject): string {
  return isJsonObject(publicKey) ? stringOr(publicKey['x'], '') : '';
}
