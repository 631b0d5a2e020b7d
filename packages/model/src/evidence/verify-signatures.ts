import { isJsonObject, type JsonObject } from '../json.js';
import {
  isSignedBy,
  isUsablePublicKey,
  readSignedStatement,
  thumbprint,
  type SignedStatement,
} from '../signed-statement.js';
import { differences, KEY_TYPE, VOTE_TYPE, votedStatement } from '../signed-vote.js';
import type { ApprovalDecision } from '../run-state.js';
import type { Report } from './integrity-problem.js';
import { objectAt, objectsAt, textOr } from './pack-members.js';

/** Checks the signed votes and the proofs with which their keys were registered (ADR 61, docs/signed-votes.md). */
export function verifySignatures(pack: JsonObject, report: Report): void {
  const server = textOr(objectAt(pack, 'server', '', report)['serverId'], '');
  const runId = textOr(objectAt(pack, 'run', '', report)['runId'], '');
  const keys = new Map<string, JsonObject>();
  for (const [index, key] of objectsAt(pack, 'signingKeys', '', report).entries()) {
    const keyId = textOr(key['keyId'], '');
    keys.set(keyId, key);
    const { at: _at, ...said } = signed(key, key['proof'], KEY_TYPE)?.statement ?? {};
    const isProven =
      thumbprint(publicKeyOf(key)) === keyId &&
      differences(said, { server, subject: textOr(key['subject'], ''), keyId }).length === 0;
    if (!isProven)
      report(
        'signature_invalid',
        `/signingKeys/${index}/proof`,
        'The key was not registered with this proof by this person.',
      );
  }
  for (const [index, approval] of objectsAt(pack, 'approvals', '', report).entries()) {
    for (const [place, vote] of objectsAt(approval, 'votes', `/approvals/${index}`, report).entries()) {
      if (typeof vote['signature'] !== 'string') continue;
      if (!holds(approval, vote, keys.get(textOr(vote['keyId'], '')), server, runId))
        report(
          'signature_invalid',
          `/approvals/${index}/votes/${place}/signature`,
          'This vote was not signed by its voter.',
        );
    }
  }
}

function holds(
  approval: JsonObject,
  vote: JsonObject,
  key: JsonObject | undefined,
  server: string,
  runId: string,
): boolean {
  if (key === undefined || key['subject'] !== vote['by']) return false;
  const statement = signed(key, vote['signature'], VOTE_TYPE)?.statement;
  if (statement === undefined) return false;
  const { at: _at, ...said } = statement;
  const asked = {
    approvalId: textOr(approval['approvalId'], ''),
    round: Number(approval['round']),
    digest: textOr(approval['digest'], ''),
  };
  const voted = votedStatement(runId, asked, {
    decision: vote['decision'] as ApprovalDecision,
    comment: textOr(vote['comment'], null),
  });
  return differences(said, { ...voted, server, keyId: textOr(key['keyId'], '') }).length === 0;
}

/** Returns a statement if its signature verifies with the key. */
function signed(key: JsonObject, jws: unknown, typ: string): SignedStatement | undefined {
  const read = typeof jws === 'string' ? readSignedStatement(jws, typ) : undefined;
  return read !== undefined &&
    isUsablePublicKey(publicKeyOf(key)) &&
    read.keyId === key['keyId'] &&
    isSignedBy(read, publicKeyOf(key))
    ? read
    : undefined;
}

function publicKeyOf({ publicKey }: JsonObject): string {
  return isJsonObject(publicKey) ? textOr(publicKey['x'], '') : '';
}
