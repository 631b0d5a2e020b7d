import type { PolicyDecision, PolicyFunction, PolicyRequest } from '@countersign/core/plugin';
import { CedarError, type Cedar } from './cedar.js';
import type { CompiledPolicies } from './compile-policies.js';
import { declaresRisk, Malformed, readDeclared } from './declared-factors.js';
import { Decisions } from './decisions.js';
import { encode, type Encoded } from './encode.js';
import { Judge, type Judgement } from './judge.js';
import { Undecidable } from './json-values.js';
import { readTools } from './read-tools.js';

/** Questions differ by what the policies read of them; where that is data of the run, each may be asked only once. */
const MOST_KNOWN = 4_096;
const LONGEST_KEY = 4_096;

/**
 * Binds policies to their digest: pure but for a cache of equal answers.
 *
 * @returns throws {@link CedarError} where a policy can't be evaluated, which counts as a deny
 */
export function createPolicy(cedar: Cedar, compiled: CompiledPolicies): PolicyFunction {
  const judge = new Judge(cedar, compiled);
  const decisions = new Decisions(compiled.id, compiled.digest);
  const known = new Map<string, Judgement>();

  const judged = (encoded: Encoded, tools: readonly string[]): Judgement => {
    const key = JSON.stringify([encoded.principal, encoded.resource, encoded.context, encoded.entities, tools]);
    const before = known.get(key);
    if (before !== undefined) return before;
    const judgement = judge.judge(encoded);
    if (key.length > LONGEST_KEY) return judgement;
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, judgement);
    return judgement;
  };

  const decide = (request: PolicyRequest): PolicyDecision => {
    if (request.call !== null && request.agentName === null) throw new CedarError('A call of a tool names no agent.');
    const tools = readTools(Object.hasOwn(request.headers, 'tools') ? request.headers['tools'] : undefined);
    const encoded = encode(request, tools, compiled.reads);
    const judgement = judged(encoded, tools);
    if (request.call !== null) return decisions.ofCall(request, judgement);
    if (declaresRisk(request.properties)) return decisions.ofStep(request, judgement, constraints(encoded, tools), readDeclared(request.properties));
    const carried = Decisions.carriedBy(request);
    const before = judgement.decisions.get(carried);
    if (before !== undefined) return before;
    const decision = decisions.ofStep(request, judgement, constraints(encoded, tools));
    judgement.decisions.set(carried, decision);
    return decision;
  };

  const constraints = ({ principal }: Encoded, tools: readonly string[]): PolicyDecision['toolConstraints'] => {
    const foreseen = tools.map((tool) => ({ tool, is: principal.type === 'Agent' ? judge.foresee(principal, tool) : 'open' }));
    const those = (which: (is: string) => boolean): string[] => foreseen.filter(({ is }) => which(is)).map(({ tool }) => tool);
    return { allowed: those((is) => is !== 'denied'), denied: those((is) => is === 'denied'), requireApproval: those((is) => is === 'approval'), limits: {} };
  };

  return (request) => {
    try {
      return decide(request);
    } catch (error) {
      if (error instanceof Malformed) return decisions.unassessable('declaration_malformed', error.message);
      if (error instanceof Undecidable) return decisions.unassessable('undecidable', error.message);
      throw error;
    }
  };
}
