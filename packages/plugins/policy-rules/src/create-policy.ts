import { createHash } from 'node:crypto';
import { canonicalJson, type PolicyDecision, type PolicyFunction, type PolicyRequest } from '@countersign/core/plugin';
import { declaresRisk } from './declared-factors.js';
import { evaluateRules, indexRules } from './evaluate-rules.js';
import { RULES, type RuleSet } from './rules.js';

/** Requests without declared risk differ in few ways; more entries than this come from models that nobody wrote by hand. */
const MOST_CACHED = 4096;

/** Binds a rule set to its digest: pure but for a cache of equal answers. */
export function createPolicy(rules: RuleSet = RULES): PolicyFunction {
  const digest = `sha256:${createHash('sha256').update(canonicalJson(rules)).digest('hex')}`;
  const index = indexRules(rules, digest);
  const cache = new Map<string, PolicyDecision>();
  return (request) => {
    // What is declared may come from the run's data, and differs from run to run.
    if (declaresRisk(request.properties)) return evaluateRules(index, request);
    const key = cacheKey(request);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const decision = evaluateRules(index, request);
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(key, decision);
    return decision;
  };
}

/** All of a request that a decision without declared risk depends on. Headers can hold any character, so they stand last. */
function cacheKey({ stepType, jobType, runRisk, headers }: PolicyRequest): string {
  const tools = Object.hasOwn(headers, 'tools') ? `=${headers['tools']}` : '';
  return `${stepType}\n${runRisk}\n${jobType === null ? '' : `${jobType.length}=${jobType}`}\n${tools}`;
}
