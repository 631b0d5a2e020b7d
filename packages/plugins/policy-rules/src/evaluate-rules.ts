import { RISK_LEVELS, maxRisk, type PolicyDecision, type PolicyRequest, type RiskFactor, type RiskLevel } from '@countersign/core/plugin';
import { declaresRisk, Malformed, NOTHING_DECLARED, readDeclared } from './declared-factors.js';
import { describeRisk } from './rationale.js';
import { readTools } from './read-tools.js';
import { deepFreeze, type JobTypeRule, type RuleSet, type StepRule } from './rules.js';

/** A rule set made ready for look-ups. Maps, so that a step type such as `constructor` finds nothing. */
export interface RuleIndex {
  readonly rules: RuleSet;
  readonly digest: string;
  readonly steps: ReadonlyMap<string, StepRule>;
  readonly jobTypes: ReadonlyMap<string, JobTypeRule>;
  readonly carriesRunRisk: ReadonlySet<string>;
}

export function indexRules(rules: RuleSet, digest: string): RuleIndex {
  return {
    rules,
    digest,
    steps: new Map(rules.steps.map((rule) => [rule.stepType, rule])),
    jobTypes: new Map(rules.jobTypes.map((rule) => [rule.jobType, rule])),
    carriesRunRisk: new Set(rules.carriesRunRisk),
  };
}

export function evaluateRules(index: RuleIndex, request: PolicyRequest): PolicyDecision {
  const { stepType, jobType } = request;
  const step = index.steps.get(stepType);
  if (step === undefined) {
    return denied(index, 'unknown_step_type', `the rules know no steps of the type "${stepType}"`);
  }
  const weight = jobType === null ? step.engine : step.job;
  if (weight === null) {
    const how = jobType === null ? 'without a job' : 'as a job';
    return denied(index, 'unknown_step_type', `the rules know no steps of the type "${stepType}" that are done ${how}`);
  }
  try {
    return allowed(index, request, step, weight);
  } catch (error) {
    if (error instanceof Malformed) return denied(index, 'declaration_malformed', error.message);
    throw error;
  }
}

function allowed(index: RuleIndex, request: PolicyRequest, step: StepRule, weight: number): PolicyDecision {
  const { rules, digest } = index;
  const { jobType, headers, properties } = request;
  const tools = readTools(Object.hasOwn(headers, 'tools') ? headers['tools'] : undefined, rules.limits.tools);
  const declared = declaresRisk(properties) ? readDeclared(properties, rules.limits) : NOTHING_DECLARED;
  const job = jobType === null ? undefined : index.jobTypes.get(jobType);
  const riskFactors = [...baseFactors(step, job, jobType, weight), ...declared.factors];
  const sum = riskFactors.reduce((total, factor) => total + factor.weight, 0);
  const bySum = levelOf(rules, sum);
  const carried: RiskLevel = index.carriesRunRisk.has(step.stepType) ? request.runRisk : 'low';
  const riskLevel = maxRisk(maxRisk(bySum, declared.level ?? 'low'), carried);
  return deepFreeze<PolicyDecision>({
    decision: 'allow',
    rationale: describeRisk({
      subject: subject(step, job, jobType),
      riskLevel,
      sum,
      declaredFactors: declared.factors.length,
      raisedBy: riskLevel === bySum ? null : riskLevel === declared.level ? 'model' : 'run',
    }),
    riskLevel,
    riskFactors,
    toolConstraints: { allowed: tools, denied: [], requireApproval: [], limits: {} },
    policyId: rules.policyId,
    policyDigest: digest,
  });
}

function subject(step: StepRule, job: JobTypeRule | undefined, jobType: string | null): string {
  if (job !== undefined) return job.says;
  if (jobType === null) return step.says;
  const worker = step.engine === 0 && step.job !== 0 ? 'A worker computes this step' : step.says;
  return `${worker} (job type "${jobType}")`;
}

function baseFactors(step: StepRule, job: JobTypeRule | undefined, jobType: string | null, weight: number): RiskFactor[] {
  if (job !== undefined && job.weight >= weight) {
    return [{ code: job.code, description: job.description, weight: job.weight }];
  }
  if (weight === 0) return [];
  const description =
    jobType === null
      ? 'Which worker does this step is only known at run time.'
      : `The worker for "${jobType}" can have effects outside the run.`;
  return [{ code: 'worker', description, weight }];
}

function levelOf(rules: RuleSet, sum: number): RiskLevel {
  return rules.thresholds.reduce<RiskLevel>((level, threshold) => (sum >= threshold.from ? threshold.level : level), RISK_LEVELS[0]);
}

function denied(index: RuleIndex, code: string, reason: string): PolicyDecision {
  const { rules, digest } = index;
  const weight = rules.thresholds.find(({ level }) => level === rules.unassessable)?.from ?? 0;
  return deepFreeze<PolicyDecision>({
    decision: 'deny',
    rationale: `The risk of this step can't be assessed, so it is not done: ${reason}.`,
    riskLevel: rules.unassessable,
    riskFactors: [{ code, description: `The risk can't be assessed: ${reason}.`, weight }],
    toolConstraints: { allowed: [], denied: [], requireApproval: [], limits: {} },
    policyId: rules.policyId,
    policyDigest: digest,
  });
}
