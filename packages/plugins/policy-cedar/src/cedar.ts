import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import type * as CedarModule from '@cedar-policy/cedar-wasm/nodejs';

type Module = typeof CedarModule;

// V8 of Node.js 20 aborts the process ("unreachable code" in Deoptimizer::DoComputeBuiltinContinuation) if optimised
// code that calls WebAssembly directly is discarded during a call that returns a JavaScript value, as Cedar's do.
// Indirect calls cost little compared with Cedar. Node.js 26 has the flag too, and does not need it.
setFlagsFromString('--no-turbo-inline-js-wasm-calls');
// Code that V8 optimises while it checks the policies at startup is soon discarded. V8's default of 1,800,000 optimises
// it anyway, which takes half of the startup CPU. With this value, the code that decisions use is optimised a little
// later.
setFlagsFromString('--wasm-tiering-budget=20000000');

const MODULE_NAME = '@cedar-policy/cedar-wasm/nodejs';
const requireCommonJs = createRequire(import.meta.url);

/** Maximum number of parsed policies in all sets together. Above it, the least recently used sets are replaced. */
const MAX_PARSED_POLICIES = 20_000;

/** Thrown when Cedar cannot evaluate a request. The caller treats it as a deny. */
export class CedarError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CedarError';
  }
}

interface ParsedSet {
  readonly slot: string;
  readonly size: number;
}

/**
 * Instance of Cedar's WebAssembly build with its parsed policy sets.
 *
 * A policy or request that exhausts the stack breaks the instance: every later call fails. So an instance that has
 * thrown is dropped, and the next request gets a new one.
 */
export class Cedar {
  #module: Module | undefined;
  #parsedSets = new Map<string, ParsedSet>();
  #freeSlots: string[] = [];
  #slotCount = 0;
  #parsedPolicyCount = 0;

  /** @throws {CedarError} if Cedar fails */
  use<T>(callback: (cedar: Module) => T): T {
    this.#module ??= loadFreshModule();
    try {
      return callback(this.#module);
    } catch (cause) {
      this.#reset();
      throw new CedarError(`Cedar failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }

  /**
   * Evaluates a set of policies, parsing it the first time.
   *
   * @param key identifies the set within this instance
   * @throws {CedarError} if Cedar fails, or one of the policies cannot be evaluated
   */
  evaluate(
    key: string,
    policies: () => Record<string, CedarModule.Policy>,
    request: Omit<CedarModule.StatefulAuthorizationCall, 'preparsedPolicySetId'>,
  ): CedarModule.Response {
    const preparsedPolicySetId = this.#parse(key, policies);
    const result = this.use((cedar) => cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId }));
    if (result.type === 'failure')
      throw new CedarError(`The policy request does not match the schema: ${joinMessages(result.errors)}`);
    const { errors } = result.response.diagnostics;
    if (errors.length > 0) {
      throw new CedarError(
        errors
          .map(({ policyId, error }) => `The policy "${policyId}" could not be evaluated: ${error.message}`)
          .join('; '),
      );
    }
    return result.response;
  }

  #parse(key: string, policies: () => Record<string, CedarModule.Policy>): string {
    const parsedSet = this.#parsedSets.get(key);
    if (parsedSet !== undefined) {
      this.#parsedSets.delete(key);
      this.#parsedSets.set(key, parsedSet);
      return parsedSet.slot;
    }
    const staticPolicies = policies();
    const size = Object.keys(staticPolicies).length;
    while (this.#parsedPolicyCount + size > MAX_PARSED_POLICIES && this.#parsedSets.size > 0)
      this.#evictLeastRecentlyUsed();
    const slot = this.#freeSlots.pop() ?? `set-${(this.#slotCount += 1)}`;
    const result = this.use((cedar) => cedar.preparsePolicySet(slot, { staticPolicies }));
    if (result.type === 'failure')
      throw new CedarError(`The policies cannot be parsed: ${joinMessages(result.errors)}`);
    this.#parsedSets.set(key, { slot, size });
    this.#parsedPolicyCount += size;
    return slot;
  }

  /**
   * Replaces the least recently used set with an empty one, which frees nearly all of its memory. Cedar itself never
   * frees a set.
   */
  #evictLeastRecentlyUsed(): void {
    const [oldest] = this.#parsedSets;
    if (oldest === undefined) return;
    const [key, { slot, size }] = oldest;
    this.use((cedar) => cedar.preparsePolicySet(slot, { staticPolicies: {} }));
    this.#parsedSets.delete(key);
    this.#freeSlots.push(slot);
    this.#parsedPolicyCount -= size;
  }

  #reset(): void {
    this.#module = undefined;
    this.#parsedSets = new Map();
    this.#freeSlots = [];
    this.#slotCount = 0;
    this.#parsedPolicyCount = 0;
  }
}

/** Returns a separate instance: the package creates one each time it is loaded. */
function loadFreshModule(): Module {
  const path = requireCommonJs.resolve(MODULE_NAME);
  Reflect.deleteProperty(requireCommonJs.cache, path);
  const module = requireCommonJs(path) as Module;
  Reflect.deleteProperty(requireCommonJs.cache, path);
  return module;
}

function joinMessages(errors: readonly CedarModule.DetailedError[]): string {
  return errors.map(({ message }) => message).join('; ');
}
