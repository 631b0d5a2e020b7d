import { AGENT_JOB_TYPE, type RiskLevel } from '@countersign/model';

export interface RiskAssessment {
  /** Who performs the step: the start of the sentence. */
  readonly subject: string;
  readonly riskLevel: RiskLevel;
  readonly sum: number;
  readonly declaredFactors: number;
  /** What raised the risk level above the one computed from the weights; `null` if nothing did. */
  readonly raisedBy: 'model' | 'run' | null;
}

/** Returns one sentence for an approver: why a step is allowed, and its risk. */
export function describeRisk({ subject, riskLevel, sum, declaredFactors, raisedBy }: RiskAssessment): string {
  if (raisedBy === 'model') return `${subject}, and the BPMN model declares its risk as at least ${riskLevel}.`;
  if (raisedBy === 'run') return `${subject}, and previous steps raised the risk of the run to ${riskLevel}.`;
  if (declaredFactors === 0) {
    return sum === 0 ? `${subject}, so its risk is ${riskLevel}.` : `${subject}, and its risk is ${riskLevel}.`;
  }
  const factors = declaredFactors === 1 ? 'one risk factor' : `${declaredFactors} risk factors`;
  return `${subject}, and with ${factors} declared for it, the weights add up to ${Math.round(sum * 100) / 100}, so its risk is ${riskLevel}.`;
}

/**
 * Returns the start of the sentence: the rationale of the policies that permit the step, and the job type of a worker.
 */
export function describeSubject(
  policies: readonly { readonly id: string; readonly rationale: string | null }[],
  jobType: string | null,
): string {
  const reasons = policies
    .map(({ id, rationale }) => (rationale ?? `The policy "${id}" permits this step`).replace(/\.$/, ''))
    .join('; ');
  return jobType === null || jobType === AGENT_JOB_TYPE ? reasons : `${reasons} (job type "${jobType}")`;
}
