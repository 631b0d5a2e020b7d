import { sha256Hex } from '#sha256';
import type { Refusal } from './advance-result.js';
import type { Json, JsonObject } from './json.js';
import type { ApprovalDecision } from './run-state.js';

/** `typ` of a signed vote, of what a key is registered with, and of what another key enrols it with. */
export const VOTE_TYPE = 'countersign-vote+jws';
export const KEY_TYPE = 'countersign-signing-key+jws';
export const COUNTERSIGNATURE_TYPE = 'countersign-signing-key-countersignature+jws';

/** What of a vote is signed, as far as the run knows what it must be. */
export interface VotedStatement {
  readonly runId: string;
  readonly approvalId: string;
  readonly round: number;
  readonly decision: ApprovalDecision;
  /** `sha256:<hex>` over the UTF-8 bytes of the comment; `null` where there is none. */
  readonly commentDigest: string | null;
  /** Digest of the approval's subject. */
  readonly subjectDigest: string;
}

/** All that an approver signs with a vote. */
export interface VoteStatement extends VotedStatement {
  /** `serverId` of `GET /api/signing`. */
  readonly server: string;
  readonly keyId: string;
  /** When it is signed: RFC 3339, UTC, milliseconds. */
  readonly at: string;
}

/**
 * What was found of a signature. `holds`: it is by a key of the voter, for this server, and of now; whether it is about
 * this vote is for the run to say. `fails`: why the vote is refused.
 */
export type VoteSignature =
  | { readonly kind: 'holds'; readonly statement: VoteStatement; readonly jws: string }
  | ({ readonly kind: 'fails' } & Refusal);

/** What a statement must say of a vote. @param digest of the subject */
export function votedStatement(
  runId: string,
  { approvalId, round, digest }: { readonly approvalId: string; readonly round: number; readonly digest: string },
  { decision, comment }: { readonly decision: ApprovalDecision; readonly comment: string | null },
): VotedStatement {
  return {
    runId,
    approvalId,
    round,
    decision,
    commentDigest: comment === null ? null : `sha256:${sha256Hex(comment)}`,
    subjectDigest: digest,
  };
}

/** The members in which a statement is another one than it must be, also those that it has too many. */
export function differences(
  statement: Readonly<Record<string, Json | undefined>>,
  expected: Readonly<Record<string, Json>>,
): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(statement)]);
  return [...names].filter((name) => !Object.hasOwn(expected, name) || statement[name] !== expected[name]).sort();
}

/** The refusal of a statement that says something else. */
export function signatureDiffers(names: readonly string[], member = 'signature'): Refusal {
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
