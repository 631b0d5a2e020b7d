import type { RiskLevel } from '@countersign/core/plugin';

export interface Grounds {
  /** Who does the step: the beginning of the sentence. */
  readonly subject: string;
  readonly riskLevel: RiskLevel;
  readonly sum: number;
  readonly declaredFactors: number;
  /** What lifts the level above what the weights say. */
  readonly raisedBy: 'model' | 'run' | null;
}

/** Why a step is allowed and how risky it is, as one sentence for an approver. */
export function describeRisk({ subject, riskLevel, sum, declaredFactors, raisedBy }: Grounds): string {
  if (raisedBy === 'model') return `${subject}, and the model says that its risk is at least ${riskLevel}.`;
  if (raisedBy === 'run') return `${subject}, and the steps before it have brought the run to ${riskLevel} risk.`;
  if (declaredFactors === 0) {
    return sum === 0 ? `${subject}, so its risk is ${riskLevel}.` : `${subject}, which is of ${riskLevel} risk.`;
  }
  const factors = declaredFactors === 1 ? 'one risk factor' : `${declaredFactors} risk factors`;
  return `${subject}, and with ${factors} declared for it the weights add up to ${Math.round(sum * 100) / 100}, which is ${riskLevel} risk.`;
}
