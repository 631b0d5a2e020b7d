import type { ApprovalRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';
import { VoteModel } from './vote-model.js';

export class ApprovalModel extends BaseModel {
  static override tableName = 'approvals';
  static override idColumn = 'approval_id';

  static override get relationMappings() {
    return {
      votes: {
        relation: BaseModel.HasManyRelation,
        modelClass: VoteModel,
        join: { from: 'approvals.approval_id', to: 'votes.approval_id' },
      },
    };
  }

  declare approvalId: string;
  declare runId: string;
  declare workflowId: string;
  declare workflowVersion: number;
  declare stepId: string;
  declare elementId: string;
  declare title: string;
  declare description: string | null;
  declare status: ApprovalRecord['status'];
  declare round: number;
  declare previousApprovalId: string | null;
  declare requestedAt: number;
  declare requestedBy: string;
  declare dueAt: number | null;
  declare resolvedAt: number | null;
  declare resolvedBy: ApprovalRecord['resolvedBy'];
  declare candidateUsers: string[];
  declare candidateGroups: string[];
  declare delegations: ApprovalRecord['delegations'];
  declare quorum: number;
  declare priority: number;
  declare separationOfDuties: ApprovalRecord['separationOfDuties'];
  declare excluded: Record<string, string>;
  declare riskLevel: ApprovalRecord['riskLevel'];
  declare riskFactors: ApprovalRecord['riskFactors'];
  declare rationale: string;
  declare subject: ApprovalRecord['subject'];
  declare digest: string;
  declare votes?: VoteModel[];

  toRecord(): ApprovalRecord {
    return {
      approvalId: this.approvalId,
      runId: this.runId,
      workflowId: this.workflowId,
      workflowVersion: this.workflowVersion,
      stepId: this.stepId,
      elementId: this.elementId,
      title: this.title,
      description: this.description,
      status: this.status,
      round: this.round,
      previousApprovalId: this.previousApprovalId,
      requestedAt: this.requestedAt,
      requestedBy: this.requestedBy,
      dueAt: this.dueAt,
      resolvedAt: this.resolvedAt,
      resolvedBy: this.resolvedBy,
      candidateUsers: this.candidateUsers,
      candidateGroups: this.candidateGroups,
      delegations: this.delegations,
      quorum: this.quorum,
      priority: this.priority,
      separationOfDuties: this.separationOfDuties,
      excluded: this.excluded,
      riskLevel: this.riskLevel,
      riskFactors: this.riskFactors,
      rationale: this.rationale,
      subject: this.subject,
      digest: this.digest,
      votes: (this.votes ?? []).map((vote) => vote.toRecord()),
    };
  }
}
