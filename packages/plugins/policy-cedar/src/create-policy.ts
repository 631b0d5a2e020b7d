import type { PolicyDecision, PolicyFunction, PolicyRequest } from '@countersign/model';
import { CedarError, type Cedar } from './cedar.js';
import type { CompiledPolicies } from './compile-policies.js';
import { declaresRisk, MalformedDeclarationError, readDeclaredRisk } from './declared-risk.js';
import { PolicyDecisionBuilder } from './policy-decision-builder.js';
import { encodeRequest, type EncodedRequest } from './encode-request.js';
import { PolicyEvaluator, type PolicyEvaluation } from './policy-evaluator.js';
import { UndecidableError } from './json-tags.js';
import { createRequestKeyBuilder } from './request-key.js';
import { readTools } from './read-tools.js';

/**
 * Maximum number of cached evaluations. Requests with data of a run may each occur only once, so the cache must be
 * bounded.
 */
const MAX_CACHED_EVALUATIONS = 4_096;
const MAX_KEY_LENGTH = 4_096;

/**
 * Creates a policy function from compiled policies. The function is pure, except for a cache of evaluations.
 *
 * @returns a function that throws {@link CedarError} if a policy cannot be evaluated, which counts as a deny
 */
export function createPolicy(cedar: Cedar, compiled: CompiledPolicies): PolicyFunction {
  const evaluator = new PolicyEvaluator(cedar, compiled);
  const builder = new PolicyDecisionBuilder(compiled.id, compiled.digest);
  const evaluationCache = new Map<string, PolicyEvaluation>();
  const buildKey = createRequestKeyBuilder(compiled.reads);

  const cacheEvaluation = (key: string, evaluation: PolicyEvaluation): void => {
    if (key.length > MAX_KEY_LENGTH) return;
    if (evaluationCache.size >= MAX_CACHED_EVALUATIONS) evaluationCache.clear();
    evaluationCache.set(key, evaluation);
  };

  const evaluateCached = (
    encoded: EncodedRequest,
    tools: readonly string[],
    cheapKey: string | null,
  ): PolicyEvaluation => {
    const key =
      cheapKey ??
      `encoded ${JSON.stringify([encoded.principal, encoded.resource, encoded.context, encoded.entities, tools])}`;
    const cachedEvaluation = evaluationCache.get(key);
    if (cachedEvaluation !== undefined) return cachedEvaluation;
    const evaluation = evaluator.evaluate(encoded);
    cacheEvaluation(key, evaluation);
    return evaluation;
  };

  const decide = (request: PolicyRequest): PolicyDecision => {
    if (request.call !== null && request.agentName === null)
      throw new CedarError('The policy request for a tool call does not name an agent.');
    const key = buildKey(request);
    const inheritedRisk = PolicyDecisionBuilder.getInheritedRisk(request);
    const hasDeclaredRisk = request.call === null && declaresRisk(request.properties);
    const cachedDecision =
      key === null || hasDeclaredRisk ? undefined : evaluationCache.get(key)?.decisionByRisk.get(inheritedRisk);
    if (cachedDecision !== undefined) return cachedDecision;
    const tools = readTools(Object.hasOwn(request.headers, 'tools') ? request.headers['tools'] : undefined);
    const encoded = encodeRequest(request, tools, request.call === null ? compiled.reads.step : compiled.reads.call);
    const evaluation = evaluateCached(encoded, tools, key);
    if (hasDeclaredRisk)
      return builder.buildStepDecision(
        request,
        evaluation,
        buildToolConstraints(encoded, tools),
        readDeclaredRisk(request.properties),
      );
    const decision =
      evaluation.decisionByRisk.get(inheritedRisk) ??
      (request.call === null
        ? builder.buildStepDecision(request, evaluation, buildToolConstraints(encoded, tools))
        : builder.buildCallDecision(request, evaluation));
    evaluation.decisionByRisk.set(inheritedRisk, decision);
    return decision;
  };

  const buildToolConstraints = (
    { principal }: EncodedRequest,
    tools: readonly string[],
  ): PolicyDecision['toolConstraints'] => {
    const predictions = tools.map((tool) => ({
      tool,
      access: principal.type === 'Agent' ? evaluator.predictAccess(principal, tool) : 'open',
    }));
    const selectTools = (matches: (access: string) => boolean): string[] =>
      predictions.filter(({ access }) => matches(access)).map(({ tool }) => tool);
    return {
      allowed: selectTools((access) => access !== 'denied'),
      denied: selectTools((access) => access === 'denied'),
      requireApproval: selectTools((access) => access === 'approval'),
      limits: {},
    };
  };

  return (request) => {
    try {
      return decide(request);
    } catch (error) {
      if (error instanceof MalformedDeclarationError)
        return builder.buildUnassessableDecision('declaration_malformed', error.message);
      if (error instanceof UndecidableError) return builder.buildUnassessableDecision('undecidable', error.message);
      throw error;
    }
  };
}
