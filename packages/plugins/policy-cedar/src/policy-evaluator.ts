import type { Policy } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyDecision, RiskFactor, RiskLevel } from '@countersign/model';
import type { Cedar } from './cedar.js';
import { cedarOf, type CompiledPolicies, type CompiledPolicy } from './compile-policies.js';
import { toolOf, type Encoded } from './encode.js';
import { isCandidate, type EntityRef } from './scope.js';

/** Result of Cedar for one request, and the policies that caused it. */
export interface PolicyMatch {
  readonly allowed: boolean;
  /** Permits if allowed, forbids if denied; empty if nothing permits it. In file order. */
  readonly by: readonly CompiledPolicy[];
}

/** All of Cedar's results for a step or a call. */
export interface PolicyEvaluation {
  readonly verdict: PolicyMatch;
  /** For an allowed call: whether it may run without approval. */
  readonly unattended: PolicyMatch | null;
  readonly factors: readonly RiskFactor[];
  /** Decisions built from this evaluation, by the risk carried over from the run. */
  readonly decisions: Map<RiskLevel, PolicyDecision>;
}

/** Evaluates the policies of one digest with Cedar. */
export class PolicyEvaluator {
  readonly #byId: ReadonlyMap<string, number>;

  constructor(
    readonly cedar: Cedar,
    readonly compiled: CompiledPolicies,
  ) {
    this.#byId = new Map(compiled.policies.map(({ id }, index) => [id, index]));
  }

  /** @throws {CedarError} Cedar failed */
  evaluate(encoded: Encoded): PolicyEvaluation {
    const isCall = encoded.resource.type === 'Tool';
    const verdict = this.#ask(isCall ? 'call' : 'perform', encoded);
    const weighed = this.#ask(isCall ? 'weighCall' : 'weighStep', encoded);
    return {
      verdict,
      unattended: isCall && verdict.allowed ? this.#ask('callUnattended', encoded) : null,
      factors: weighed.by.flatMap(({ risk }) => (risk === null ? [] : [risk])),
      decisions: new Map(),
    };
  }

  /**
   * Returns what the name of a tool alone determines: that every call is denied, or always needs approval. Anything
   * else is decided for each call.
   */
  foresee(principal: EntityRef, tool: string): 'denied' | 'approval' | 'open' {
    const resource = toolOf(tool);
    if (this.#isRuledOut('call', principal, resource)) return 'denied';
    return this.#isRuledOut('callUnattended', principal, resource) ? 'approval' : 'open';
  }

  #isRuledOut(action: string, principal: EntityRef, resource: EntityRef): boolean {
    const candidates = this.compiled.policies.filter(
      ({ weighs, json }) => !weighs && isCandidate(json, action, principal, resource),
    );
    const forbidden = candidates.some(({ json }) => json.effect === 'forbid' && json.conditions.length === 0);
    return forbidden || !candidates.some(({ json }) => json.effect === 'permit');
  }

  /** Weighing actions go only to policies that weigh, so that a forbid of any action hides no risk. */
  #ask(action: string, { principal, resource, context, entities }: Encoded): PolicyMatch {
    const weighing = action.startsWith('weigh');
    const candidates: number[] = [];
    this.compiled.policies.forEach(({ weighs, json }, index) => {
      if (weighs === weighing && isCandidate(json, action, principal, resource)) candidates.push(index);
    });
    if (candidates.length === 0) return { allowed: false, by: [] };
    const { decision, diagnostics } = this.cedar.ask(
      `${this.compiled.digest} ${candidates.join(',')}`,
      () => Object.fromEntries(candidates.flatMap((index) => this.#entry(index))),
      {
        principal: { type: principal.type, id: principal.id },
        action: { type: 'Action', id: action },
        resource: { type: resource.type, id: resource.id },
        context: { ...context },
        entities: [...entities],
      },
    );
    const by = diagnostics.reason.map((id) => this.#byId.get(id) ?? -1).sort((a, b) => a - b);
    return { allowed: decision === 'allow', by: by.flatMap((index) => this.compiled.policies[index] ?? []) };
  }

  #entry(index: number): [string, Policy][] {
    const policy = this.compiled.policies[index];
    return policy === undefined ? [] : [[policy.id, cedarOf(policy)]];
  }
}
