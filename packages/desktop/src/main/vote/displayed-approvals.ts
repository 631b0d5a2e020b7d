import { createHash } from 'node:crypto';
import type { Approval } from '@countersign/contract';
import canonicalize from 'canonicalize';
import { Loads } from '../api/loads.js';

/** How an approval came to the window: by itself, for being decided on, or as a row of a list. */
type Shown = 'opened' | 'listed';

interface Version {
  readonly approval: Approval;
  readonly shown: Shown;
  /** Computed here from the subject that went to the window, never taken from the answer of the server. */
  readonly subjectDigest: string;
}

const MAX_APPROVALS = 10_000;

/**
 * What went to the window, so that a vote counts only for that: each approval with its round and the digest of its subject
 * (SHA-256 over its RFC 8785 form). A window that something else has taken over can so not vote on what was never loaded
 * for being looked at, nor on another subject under the name of this one.
 */
export class DisplayedApprovals {
  /** By approval, the one that was seen longest ago first. */
  private readonly versions = new Map<string, Version[]>();
  /** Approvals that the window has asked for by themselves. It may show what the list had of one until it is there. */
  readonly loads = new Loads();

  record(approval: Approval, shown: Shown): void {
    const { approvalId, round } = approval;
    const known = this.versions.get(approvalId) ?? [];
    const version = versionOf(approval, shown);
    // A list shows one version at a time. Lists come again and again, so that nothing of theirs is looked at before a vote.
    const others = known.filter(
      (each) =>
        each.shown === 'opened' &&
        (shown === 'listed' || each.approval.round !== round || each.subjectDigest !== version.subjectDigest),
    );
    const listed = shown === 'opened' ? known.filter((each) => each.shown === 'listed') : [];
    this.versions.delete(approvalId);
    this.versions.set(approvalId, [...others, ...listed, version]);
    for (const oldest of this.versions.keys()) {
      if (this.versions.size <= MAX_APPROVALS) break;
      this.versions.delete(oldest);
    }
  }

  /** What was shown of it at this round and digest. @returns why there is nothing to vote on, otherwise */
  find(
    approvalId: string,
    round: number,
    subjectDigest: string,
    least: Shown,
  ): { readonly approval: Approval } | { readonly refusal: 'not_shown' | 'not_as_shown' | 'digest_mismatch' } {
    const known = this.versions.get(approvalId) ?? [];
    const shown = known.filter((each) => least === 'listed' || each.shown === 'opened');
    if (shown.length === 0) return { refusal: 'not_shown' };
    // The server names a digest that is not that of the subject: whatever is named, it is not decided on.
    if (shown.some((each) => each.subjectDigest !== each.approval.digest)) return { refusal: 'digest_mismatch' };
    const version = shown.find((each) => each.approval.round === round && each.subjectDigest === subjectDigest);
    return version === undefined ? { refusal: 'not_as_shown' } : { approval: version.approval };
  }
}

function versionOf(approval: Approval, shown: Shown): Version {
  let digest: string | undefined;
  return {
    approval,
    shown,
    get subjectDigest() {
      return (digest ??= digestOf(approval.subject));
    },
  };
}

export function digestOf(subject: unknown): string {
  return `sha256:${createHash('sha256')
    .update(canonicalize(subject) ?? '')
    .digest('hex')}`;
}
