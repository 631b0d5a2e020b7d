import { AGENT_JOB_TYPE, type PolicyRequest, type RiskLevel } from '@countersign/model';
import type { CompiledPolicy } from './compile-policies.js';

export interface RiskAssessment {
  /** Reasons why the step is allowed, as the start of the sentence. */
  readonly reasons: string;
  readonly riskLevel: RiskLevel;
  readonly sum: number;
  readonly declaredFactorCount: number;
  /** Source of a risk level above the one computed from the weights; `null` if it was not raised. */
  readonly raisedBy: 'model' | 'run' | null;
}

/** Returns one sentence for an approver: why a step is allowed, and its risk. */
export function describeRisk({ reasons, riskLevel, sum, declaredFactorCount, raisedBy }: RiskAssessment): string {
  if (raisedBy === 'model') return `${reasons}, and the BPMN model declares its risk as at least ${riskLevel}.`;
  if (raisedBy === 'run') return `${reasons}, and previous steps raised the risk of the run to ${riskLevel}.`;
  if (declaredFactorCount === 0) {
    return sum === 0 ? `${reasons}, so its risk is ${riskLevel}.` : `${reasons}, and its risk is ${riskLevel}.`;
  }
  const factors = declaredFactorCount === 1 ? 'one risk factor' : `${declaredFactorCount} risk factors`;
  return `${reasons}, and with ${factors} declared for it, the weights add up to ${Math.round(sum * 100) / 100}, so its risk is ${riskLevel}.`;
}

/**
 * Returns the start of the sentence: the rationale of the policies that permit the step, and the job type of a worker.
 */
export function describePermits(
  policies: readonly { readonly id: string; readonly rationale: string | null }[],
  jobType: string | null,
): string {
  const reasons = policies
    .map(({ id, rationale }) => (rationale ?? `The policy "${id}" permits this step`).replace(/\.$/, ''))
    .join('; ');
  return jobType === null || jobType === AGENT_JOB_TYPE ? reasons : `${reasons} (job type "${jobType}")`;
}

export function describeStep({ stepType, jobType }: PolicyRequest): string {
  return `a step of the type "${stepType}"${jobType === null ? '' : ` with the job type "${jobType}"`}`;
}

export function joinRationales(policies: readonly CompiledPolicy[]): string {
  return policies.map(({ id, rationale }) => toSentence(rationale ?? `The policy "${id}" applies`)).join(' ');
}

export function appendAdvice(rationale: string, policies: readonly CompiledPolicy[]): string {
  return [rationale, ...policies.flatMap(({ advice }) => (advice === null ? [] : [toSentence(advice)]))].join(' ');
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
