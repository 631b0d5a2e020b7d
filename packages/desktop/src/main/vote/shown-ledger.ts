import { createHash } from 'node:crypto';
import type { Approval } from '@countersign/contract';
import canonicalize from 'canonicalize';

/** How an approval came to the window: by itself, for being decided on, or as a row of a list. */
type Shown = 'opened' | 'listed';

interface Version {
  readonly round: number;
  /** Computed here from the subject that went to the window, never taken from the answer of the server. */
  readonly subjectDigest: string;
  /** Whether the server gives the same digest. */
  readonly holds: boolean;
  readonly approval: Approval;
  shown: Shown;
}

const MOST = 10_000;

/**
 * What went to the window, so that a vote counts only for that: each approval with its round and the digest of its subject
 * (SHA-256 over its RFC 8785 form). A window that something else has taken over can so not vote on what was never loaded
 * for being looked at, nor on another subject under the name of this one.
 */
export class ShownLedger {
  /** By approval, the one that was seen longest ago first. */
  private readonly versions = new Map<string, Version[]>();

  record(approval: Approval, shown: Shown): void {
    const { approvalId, round } = approval;
    const subjectDigest = digestOf(approval.subject);
    const known = this.versions.get(approvalId) ?? [];
    const same = known.find((each) => each.round === round && each.subjectDigest === subjectDigest);
    if (same === undefined) known.push({ round, subjectDigest, holds: subjectDigest === approval.digest, approval, shown });
    else if (shown === 'opened') same.shown = 'opened';
    this.versions.delete(approvalId);
    this.versions.set(approvalId, known);
    for (const oldest of this.versions.keys()) {
      if (this.versions.size <= MOST) break;
      this.versions.delete(oldest);
    }
  }

  /** What was shown of it at this round and digest. @returns why there is nothing to vote on, otherwise */
  find(approvalId: string, round: number, subjectDigest: string, least: Shown): { readonly approval: Approval } | { readonly refusal: 'not_shown' | 'not_as_shown' | 'digest_mismatch' } {
    const known = this.versions.get(approvalId) ?? [];
    const shown = known.filter((each) => least === 'listed' || each.shown === 'opened');
    if (shown.length === 0) return { refusal: 'not_shown' };
    // The server names a digest that is not that of the subject: whatever is named, it is not decided on.
    if (shown.some((each) => !each.holds)) return { refusal: 'digest_mismatch' };
    const version = shown.find((each) => each.round === round && each.subjectDigest === subjectDigest);
    return version === undefined ? { refusal: 'not_as_shown' } : { approval: version.approval };
  }
}

export function digestOf(subject: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalize(subject) ?? '').digest('hex')}`;
}
