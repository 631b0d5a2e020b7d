import type { ApprovalRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

type Vote = ApprovalRecord['votes'][number];

export class VoteModel extends BaseModel {
  static override tableName = 'votes';
  static override idColumn = ['approval_id', 'vote_id'];

  declare voteId: string;
  declare approvalId: string;
  declare decision: Vote['decision'];
  declare comment: string | null;
  declare votedBy: string;
  declare votedByName: string | null;
  declare votedAt: number;
  declare digest: string;

  toRecord(): Vote {
    return {
      voteId: this.voteId,
      decision: this.decision,
      comment: this.comment,
      by: this.votedBy,
      byName: this.votedByName,
      at: this.votedAt,
      digest: this.digest,
    };
  }
}
