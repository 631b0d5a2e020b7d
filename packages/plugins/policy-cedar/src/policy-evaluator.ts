import type { Policy } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyDecision, RiskFactor, RiskLevel } from '@countersign/model';
import type { Cedar } from './cedar.js';
import { toCedarPolicy, type CompiledPolicies, type CompiledPolicy } from './compile-policies.js';
import { toToolRef, type EncodedRequest } from './encode-request.js';
import { canApply, type EntityRef } from './scope.js';

/** Result of Cedar for one request, and the policies that caused it. */
export interface PolicyMatch {
  readonly allowed: boolean;
  /** Permits if allowed, forbids if denied; empty if nothing permits it. In file order. */
  readonly policies: readonly CompiledPolicy[];
}

/** All of Cedar's results for a step or a call. */
export interface PolicyEvaluation {
  readonly match: PolicyMatch;
  /** For an allowed call: whether it may run without approval. */
  readonly unattendedMatch: PolicyMatch | null;
  readonly factors: readonly RiskFactor[];
  /** Decisions built from this evaluation, by the risk carried over from the run. */
  readonly decisionByRisk: Map<RiskLevel, PolicyDecision>;
}

/** Evaluates the policies of one digest with Cedar. */
export class PolicyEvaluator {
  readonly #indexById: ReadonlyMap<string, number>;

  constructor(
    readonly cedar: Cedar,
    readonly compiled: CompiledPolicies,
  ) {
    this.#indexById = new Map(compiled.policies.map(({ id }, index) => [id, index]));
  }

  /** @throws {CedarError} Cedar failed */
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
   * Returns what the name of a tool alone determines: that every call is denied, or always needs approval. Anything
   * else is decided for each call.
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

  /** Weighing actions go only to policies that weigh, so that a forbid of any action hides no risk. */
  #authorize(action: string, { principal, resource, context, entities }: EncodedRequest): PolicyMatch {
    const isRiskAction = action.startsWith('weigh');
    const candidates: number[] = [];
    this.compiled.policies.forEach(({ addsRisk, json }, index) => {
      if (addsRisk === isRiskAction && canApply(json, action, principal, resource)) candidates.push(index);
    });
    if (candidates.length === 0) return { allowed: false, policies: [] };
    const { decision, diagnostics } = this.cedar.ask(
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
    const by = diagnostics.reason.map((id) => this.#indexById.get(id) ?? -1).sort((a, b) => a - b);
    return { allowed: decision === 'allow', policies: by.flatMap((index) => this.compiled.policies[index] ?? []) };
  }

  #toEntries(index: number): [string, Policy][] {
    const policy = this.compiled.policies[index];
    return policy === undefined ? [] : [[policy.id, toCedarPolicy(policy)]];
  }
}
