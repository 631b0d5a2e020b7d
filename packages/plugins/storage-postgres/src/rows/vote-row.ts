import type { ApprovalRecord } from '@countersign/model';

type Vote = ApprovalRecord['votes'][number];

/** Row of `votes`. */
export interface VoteRow {
  readonly vote_id: string;
  readonly approval_id: string;
  readonly decision: Vote['decision'];
  readonly comment: string | null;
  readonly voted_by: string;
  readonly voted_by_name: string | null;
  readonly asked_as: string[] | null;
  readonly voted_at: number;
  readonly digest: string;
  readonly signature: Vote['signature'] | null;
  readonly shown: Vote['shown'] | null;
  readonly counts: boolean;
}

export function toVote(row: VoteRow): Vote {
  return {
    voteId: row.vote_id,
    decision: row.decision,
    comment: row.comment,
    by: row.voted_by,
    byName: row.voted_by_name,
    ...(row.asked_as === null ? {} : { askedAs: row.asked_as }),
    at: row.voted_at,
    digest: row.digest,
    ...(row.signature === null ? {} : { signature: row.signature }),
    ...(row.shown === null ? {} : { shown: row.shown }),
    ...(row.counts ? {} : { counts: false }),
  };
}
