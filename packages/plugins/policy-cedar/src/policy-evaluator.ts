import type { Policy } from '@cedar-policy/cedar-wasm/nodejs';
import type { PolicyDecision, RiskFactor, RiskLevel } from '@countersign/model';
import type { Cedar } from './cedar.js';
import { cedarOf, type CompiledPolicies, type CompiledPolicy } from './compile-policies.js';
import { toolOf, type Encoded } from './encode.js';
import { isCandidate, type EntityRef } from './scope.js';

/** What Cedar says to one question, and the policies that made it so. */
export interface PolicyMatch {
  readonly allowed: boolean;
  /** Permits where it is allowed, forbids where it is not; none where nothing permits it. In the order of the files. */
  readonly by: readonly CompiledPolicy[];
}

/** All that Cedar has to say of a step or a call. */
export interface PolicyEvaluation {
  readonly verdict: PolicyMatch;
  /** Of a call that is allowed: whether it may go ahead without a person. */
  readonly unattended: PolicyMatch | null;
  readonly factors: readonly RiskFactor[];
  /** Decisions that were made of it, by the risk carried over from the run. */
  readonly decisions: Map<RiskLevel, PolicyDecision>;
}

/** Asks Cedar with the policies of one digest. */
export class PolicyEvaluator {
  readonly #byId: ReadonlyMap<string, number>;

  constructor(
    readonly cedar: Cedar,
    readonly compiled: CompiledPolicies,
  ) {
    this.#byId = new Map(compiled.policies.map(({ id }, index) => [id, index]));
  }

  /** @throws {CedarError} */
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
   * What is certain of a tool by its name alone: that a call of it is denied, or always needs a person. What depends on
   * the call is decided with the call.
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

  /** Only policies that weigh are asked what weighs, so that a forbid of any action hides no risk. */
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
