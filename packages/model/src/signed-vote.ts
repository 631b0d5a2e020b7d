import { sha256Hex } from '#sha256';
import type { Refusal } from './advance-result.js';
import type { Json, JsonObject } from './json.js';
import type { ApprovalDecision } from './run-state.js';

/** `typ` of a signed vote. */
export const VOTE_TYPE = 'countersign-vote+jws';
/** `typ` of a statement that registers a signing key. */
export const KEY_TYPE = 'countersign-signing-key+jws';
/** `typ` of a statement with which another key countersigns a signing key. */
export const COUNTERSIGNATURE_TYPE = 'countersign-signing-key-countersignature+jws';

/** The signed members of a vote that the run can verify. */
export interface VerifiableVoteFields {
  readonly runId: string;
  readonly approvalId: string;
  readonly round: number;
  readonly decision: ApprovalDecision;
  /** `sha256:<hex>` over the UTF-8 bytes of the comment; `null` without a comment. */
  readonly commentDigest: string | null;
  /** Digest of the approval's subject. */
  readonly subjectDigest: string;
}

/** The complete statement that an approver signs with a vote. */
export interface VoteStatement extends VerifiableVoteFields {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  readonly keyId: string;
  /** Time of signing: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/**
 * Result of a signature check. `holds`: the signature is recent, for this server, and made with a key of the voter; the
 * run checks whether it is about this vote. `fails`: the reason why the vote is refused.
 */
export type VoteSignature =
  | { readonly kind: 'holds'; readonly statement: VoteStatement; readonly jws: string }
  | ({ readonly kind: 'fails' } & Refusal);

/**
 * Returns the members that the signed statement of a vote must have.
 *
 * @param digest the digest of the approval's subject
 */
export function buildVerifiableVoteFields(
  runId: string,
  { approvalId, round, digest }: { readonly approvalId: string; readonly round: number; readonly digest: string },
  { decision, comment }: { readonly decision: ApprovalDecision; readonly comment: string | null },
): VerifiableVoteFields {
  return {
    runId,
    approvalId,
    round,
    decision,
    commentDigest: comment === null ? null : `sha256:${sha256Hex(comment)}`,
    subjectDigest: digest,
  };
}

/** Returns the members in which a statement differs from the expected one, including additional members. */
export function findDifferingMembers(
  statement: Readonly<Record<string, Json | undefined>>,
  expected: Readonly<Record<string, Json>>,
): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(statement)]);
  return [...names].filter((name) => !Object.hasOwn(expected, name) || statement[name] !== expected[name]).sort();
}

/** Returns the refusal of a statement that differs from the request. */
export function createSignatureMismatch(names: readonly string[], member = 'signature'): Refusal {
  const errors: JsonObject[] = names.map((name) => ({
    pointer: `/${member}`,
    code: 'differs',
    message: `"${name}" of the signed statement does not match the request.`,
  }));
  return {
    code: 'signature_invalid',
    message: 'The signed statement does not match the request. Nothing was recorded.',
    details: { errors },
  };
}
