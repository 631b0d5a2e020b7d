import type { JsonObject, RiskLevel, RunOutcome, RunRecord, RunStatus } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class RunModel extends BaseModel {
  static override tableName = 'runs';
  static override idColumn = 'run_id';

  declare runId: string;
  declare workflowId: string;
  declare workflowVersion: number;
  declare workflowDigest: string;
  declare status: RunStatus;
  declare outcome: RunOutcome | null;
  declare cancelling: boolean;
  declare currentStep: string | null;
  declare pendingApprovals: number;
  declare pendingQuestions: number;
  declare incidents: number;
  declare waitingFor: RunRecord['waitingFor'];
  declare riskLevel: RiskLevel;
  declare error: (RunRecord['error'] & JsonObject) | null;
  declare startedAt: number;
  declare startedBy: string;
  declare updatedAt: number;
  declare completedAt: number | null;
  declare businessKey: string | null;
  declare parentRunId: string | null;
  /** Only where it was asked for: JSON text. */
  declare state?: string;

  /** What lists show: everything but the state and the guards of the command path. */
  static readonly listColumns = Object.freeze([
    'run_id', 'workflow_id', 'workflow_version', 'workflow_digest', 'status', 'outcome', 'cancelling', 'current_step',
    'pending_approvals', 'pending_questions', 'incidents', 'waiting_for', 'risk_level', 'error', 'started_at', 'started_by', 'updated_at',
    'completed_at', 'business_key', 'parent_run_id',
  ]);

  toRecord(): RunRecord {
    return {
      runId: this.runId,
      workflowId: this.workflowId,
      workflowVersion: this.workflowVersion,
      workflowDigest: this.workflowDigest,
      status: this.status,
      outcome: this.outcome,
      cancelling: this.cancelling,
      currentStep: this.currentStep,
      pendingApprovals: this.pendingApprovals,
      pendingQuestions: this.pendingQuestions,
      incidents: this.incidents,
      waitingFor: this.waitingFor,
      riskLevel: this.riskLevel,
      error: this.error,
      startedAt: this.startedAt,
      startedBy: this.startedBy,
      updatedAt: this.updatedAt,
      completedAt: this.completedAt,
      businessKey: this.businessKey,
      parentRunId: this.parentRunId,
    };
  }
}
