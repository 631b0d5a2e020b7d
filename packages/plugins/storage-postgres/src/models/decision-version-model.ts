import type { DecisionVersionRecord } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class DecisionVersionModel extends BaseModel {
  static override tableName = 'decision_versions';
  static override idColumn = ['decision_id', 'version'];

  declare decisionId: string;
  declare version: number;
  declare digest: string;
  declare name: string;
  declare decisionType: DecisionVersionRecord['decisionType'];
  declare requiredDecisions: string[];
  declare decisionRequirementsId: string;
  declare deployedAt: number;
  declare deployedBy: string;
  /** Whether no later version of the decision exists. */
  declare newest: boolean;

  toRecord(): DecisionVersionRecord {
    const {
      decisionId,
      version,
      digest,
      name,
      decisionType,
      requiredDecisions,
      decisionRequirementsId,
      deployedAt,
      deployedBy,
    } = this;
    return {
      decisionId,
      version,
      digest,
      name,
      decisionType,
      requiredDecisions,
      decisionRequirementsId,
      deployedAt,
      deployedBy,
    };
  }
}
