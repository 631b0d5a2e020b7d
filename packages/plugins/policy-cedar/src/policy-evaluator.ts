import type { Policy } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyDecision, RiskFactor, RiskLevel } from '@countersign/model';
import type { Cedar } from './cedar.js';
import { toCedarPolicy, type CompiledPolicies, type CompiledPolicy } from './compile-policies.js';
import { toToolRef, type EncodedRequest } from './encode-request.js';
import { canApply, type EntityRef } from './scope.js';

/** Cedar's result for one request, and the policies that determined it. */
export interface PolicyMatch {
  readonly allowed: boolean;
  /**
   * The `permit` policies if the request is allowed, the `forbid` policies if it is denied; empty if no policy permits
   * it. In file order.
   */
  readonly policies: readonly CompiledPolicy[];
}

/** All of Cedar's results for a step or a call. */
export interface PolicyEvaluation {
  readonly match: PolicyMatch;
  /** For an allowed call: whether it may run without approval. */
  readonly unattendedMatch: PolicyMatch | null;
  readonly factors: readonly RiskFactor[];
  /** Cache of the policy decisions built from this evaluation, by the risk inherited from the run. */
  readonly decisionByRisk: Map<RiskLevel, PolicyDecision>;
}

/** Evaluates one version of the policies with Cedar. */
export class PolicyEvaluator {
  readonly #indexById: ReadonlyMap<string, number>;

  constructor(
    readonly cedar: Cedar,
    readonly compiled: CompiledPolicies,
  ) {
    this.#indexById = new Map(compiled.policies.map(({ id }, index) => [id, index]));
  }

  /** @throws {CedarError} if Cedar fails */
  evaluate(encoded: EncodedRequest): PolicyEvaluation {
    const isCall = encoded.resource.type === 'Tool';
    const match = this.#authorize(isCall ? 'call' : 'perform', encoded);
    const riskMatch = this.#authorize(isCall ? 'weighCall' : 'weighStep', encoded);
    return {
      match,
      unattendedMatch: isCall && match.allowed ? this.#authorize('callUnattended', encoded) : null,
      factors: riskMatch.policies.flatMap(({ risk }) => (risk === null ? [] : [risk])),
      decisionByRisk: new Map(),
    };
  }

  /**
   * Predicts the access to a tool from its name: `denied` or `approval` if every call is denied or requires approval,
   * `open` if each call must be evaluated.
   */
  predictAccess(principal: EntityRef, tool: string): 'denied' | 'approval' | 'open' {
    const resource = toToolRef(tool);
    if (this.#isRuledOut('call', principal, resource)) return 'denied';
    return this.#isRuledOut('callUnattended', principal, resource) ? 'approval' : 'open';
  }

  #isRuledOut(action: string, principal: EntityRef, resource: EntityRef): boolean {
    const candidates = this.compiled.policies.filter(
      ({ addsRisk, json }) => !addsRisk && canApply(json, action, principal, resource),
    );
    const forbidden = candidates.some(({ json }) => json.effect === 'forbid' && json.conditions.length === 0);
    return forbidden || !candidates.some(({ json }) => json.effect === 'permit');
  }

  /**
   * Evaluates the policies that apply to an action. Risk actions are evaluated only with risk policies, so that a
   * policy that forbids all actions does not hide risk.
   */
  #authorize(action: string, { principal, resource, context, entities }: EncodedRequest): PolicyMatch {
    const isRiskAction = action.startsWith('weigh');
    const candidates: number[] = [];
    this.compiled.policies.forEach(({ addsRisk, json }, index) => {
      if (addsRisk === isRiskAction && canApply(json, action, principal, resource)) candidates.push(index);
    });
    if (candidates.length === 0) return { allowed: false, policies: [] };
    const { decision, diagnostics } = this.cedar.evaluate(
      `${this.compiled.digest} ${candidates.join(',')}`,
      () => Object.fromEntries(candidates.flatMap((index) => this.#toEntries(index))),
      {
        principal: { type: principal.type, id: principal.id },
        action: { type: 'Action', id: action },
        resource: { type: resource.type, id: resource.id },
        context: { ...context },
        entities: [...entities],
      },
    );
    const policyIndexes = diagnostics.reason.map((id) => this.#indexById.get(id) ?? -1).sort((a, b) => a - b);
    return {
      allowed: decision === 'allow',
      policies: policyIndexes.flatMap((index) => this.compiled.policies[index] ?? []),
    };
  }

  #toEntries(index: number): [string, Policy][] {
    const policy = this.compiled.policies[index];
    return policy === undefined ? [] : [[policy.id, toCedarPolicy(policy)]];
  }
}
