import { createHash } from 'node:crypto';
import type { Approval } from '@countersign/contract';
import canonicalize from 'canonicalize';
import { PendingLoads } from '../api/pending-loads.js';

/** How an approval reached the window: opened for a decision, or together with others. */
type DisplayKind = 'opened' | 'listed';

interface DisplayedVersion {
  readonly approval: Approval;
  readonly displayKind: DisplayKind;
  /** Computed here from the subject that the window received; never the digest that the server reports. */
  readonly subjectDigest: string;
}

const MAX_APPROVALS = 10_000;

/**
 * Record of the approvals that the window has received, each with its round and the digest of its subject (SHA-256 of
 * its RFC 8785 form). A vote is sent only for a recorded version, so a compromised window cannot vote on an approval
 * that was never loaded for display, nor on a different subject under the same id.
 */
export class DisplayedApprovals {
  /** Versions by approval id, least recently received first. */
  private readonly versions = new Map<string, DisplayedVersion[]>();
  /**
   * Approvals that the window has requested individually. Until an approval arrives, the window may show its data from
   * the list.
   */
  readonly loads = new PendingLoads();

  record(approval: Approval, displayKind: DisplayKind): void {
    const { approvalId, round } = approval;
    const known = this.versions.get(approvalId) ?? [];
    const version = createVersion(approval, displayKind);
    // Only the newest listed version is kept. Its digest is computed only for a vote, because lists are loaded often.
    const openedVersions = known.filter(
      (each) =>
        each.displayKind === 'opened' &&
        (displayKind === 'listed' || each.approval.round !== round || each.subjectDigest !== version.subjectDigest),
    );
    const listedVersions = displayKind === 'opened' ? known.filter((each) => each.displayKind === 'listed') : [];
    this.versions.delete(approvalId);
    this.versions.set(approvalId, [...openedVersions, ...listedVersions, version]);
    for (const oldest of this.versions.keys()) {
      if (this.versions.size <= MAX_APPROVALS) break;
      this.versions.delete(oldest);
    }
  }

  /** Returns whether an approval was opened in the window. */
  isOpened(approvalId: string): boolean {
    return (this.versions.get(approvalId) ?? []).some(({ displayKind }) => displayKind === 'opened');
  }

  /**
   * Returns the approval that was displayed in this round with this digest, or the reason why it cannot be voted on.
   *
   * @param requiredDisplayKind `opened`: being listed is not sufficient
   */
  find(
    approvalId: string,
    round: number,
    subjectDigest: string,
    requiredDisplayKind: DisplayKind,
  ): { readonly approval: Approval } | { readonly refusal: 'not_shown' | 'not_as_shown' | 'digest_mismatch' } {
    const known = this.versions.get(approvalId) ?? [];
    const displayedVersions = known.filter((each) => requiredDisplayKind === 'listed' || each.displayKind === 'opened');
    if (displayedVersions.length === 0) return { refusal: 'not_shown' };
    // If the server's digest does not match the subject, no vote is accepted.
    if (displayedVersions.some((each) => each.subjectDigest !== each.approval.digest))
      return { refusal: 'digest_mismatch' };
    const version = displayedVersions.find(
      (each) => each.approval.round === round && each.subjectDigest === subjectDigest,
    );
    return version === undefined ? { refusal: 'not_as_shown' } : { approval: version.approval };
  }
}

function createVersion(approval: Approval, displayKind: DisplayKind): DisplayedVersion {
  let digest: string | undefined;
  return {
    approval,
    displayKind,
    get subjectDigest() {
      return (digest ??= computeSubjectDigest(approval.subject));
    },
  };
}

export function computeSubjectDigest(subject: unknown): string {
  return `sha256:${createHash('sha256')
    .update(canonicalize(subject) ?? '')
    .digest('hex')}`;
}
