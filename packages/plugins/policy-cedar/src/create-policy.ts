import type { PolicyDecision, PolicyFunction, PolicyRequest } from '@countersign/model';
import { CedarError, type Cedar } from './cedar.js';
import type { CompiledPolicies } from './compile-policies.js';
import { declaresRisk, MalformedRiskError, readDeclared } from './declared-factors.js';
import { PolicyDecisionBuilder } from './policy-decision-builder.js';
import { encode, type Encoded } from './encode.js';
import { PolicyEvaluator, type PolicyEvaluation } from './policy-evaluator.js';
import { UndecidableError } from './json-values.js';
import { questionKeys } from './question-key.js';
import { readTools } from './read-tools.js';

/** Requests differ in the attributes that policies read. If these are data of the run, each may occur only once. */
const MAX_KNOWN = 4_096;
const LONGEST_KEY = 4_096;

/**
 * Binds policies to their digest: pure except for a cache of equal results.
 *
 * @returns a function that throws {@link CedarError} if a policy cannot be evaluated, which counts as a deny
 */
export function createPolicy(cedar: Cedar, compiled: CompiledPolicies): PolicyFunction {
  const evaluator = new PolicyEvaluator(cedar, compiled);
  const decisions = new PolicyDecisionBuilder(compiled.id, compiled.digest);
  const known = new Map<string, PolicyEvaluation>();
  const keyOf = questionKeys(compiled.reads);

  const keep = (key: string, evaluation: PolicyEvaluation): void => {
    if (key.length > LONGEST_KEY) return;
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, evaluation);
  };

  const judged = (encoded: Encoded, tools: readonly string[], cheapKey: string | null): PolicyEvaluation => {
    const key =
      cheapKey ??
      `encoded ${JSON.stringify([encoded.principal, encoded.resource, encoded.context, encoded.entities, tools])}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const evaluation = evaluator.evaluate(encoded);
    keep(key, evaluation);
    return evaluation;
  };

  const decide = (request: PolicyRequest): PolicyDecision => {
    if (request.call !== null && request.agentName === null) throw new CedarError('A tool call names no agent.');
    const key = keyOf(request);
    const carried = PolicyDecisionBuilder.carriedBy(request);
    const isDeclared = request.call === null && declaresRisk(request.properties);
    const before = key === null || isDeclared ? undefined : known.get(key)?.decisions.get(carried);
    if (before !== undefined) return before;
    const tools = readTools(Object.hasOwn(request.headers, 'tools') ? request.headers['tools'] : undefined);
    const encoded = encode(request, tools, request.call === null ? compiled.reads.step : compiled.reads.call);
    const evaluation = judged(encoded, tools, key);
    if (isDeclared)
      return decisions.ofStep(request, evaluation, constraints(encoded, tools), readDeclared(request.properties));
    const made =
      evaluation.decisions.get(carried) ??
      (request.call === null
        ? decisions.ofStep(request, evaluation, constraints(encoded, tools))
        : decisions.ofCall(request, evaluation));
    evaluation.decisions.set(carried, made);
    return made;
  };

  const constraints = ({ principal }: Encoded, tools: readonly string[]): PolicyDecision['toolConstraints'] => {
    const foreseen = tools.map((tool) => ({
      tool,
      is: principal.type === 'Agent' ? evaluator.foresee(principal, tool) : 'open',
    }));
    const those = (which: (is: string) => boolean): string[] =>
      foreseen.filter(({ is }) => which(is)).map(({ tool }) => tool);
    return {
      allowed: those((is) => is !== 'denied'),
      denied: those((is) => is === 'denied'),
      requireApproval: those((is) => is === 'approval'),
      limits: {},
    };
  };

  return (request) => {
    try {
      return decide(request);
    } catch (error) {
      if (error instanceof MalformedRiskError) return decisions.unassessable('declaration_malformed', error.message);
      if (error instanceof UndecidableError) return decisions.unassessable('undecidable', error.message);
      throw error;
    }
  };
}
