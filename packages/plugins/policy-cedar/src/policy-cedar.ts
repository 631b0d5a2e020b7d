import { inject, injectable, optional } from 'inversify';
import { type LifecycleContribution, LoggerPort, type PolicyPort } from '@countersign/core/plugin';
import { DefinitionStore } from '@countersign/core/ports';
import type { PolicyFunction } from '@countersign/model';
import { PolicyCedarConfiguration } from './configuration.js';
import { loadPolicy, type LoadedPolicy } from './load-policy.js';

/** The operator's policies as read at startup. */
@injectable()
export class PolicyCedar implements PolicyPort, LifecycleContribution {
  readonly name = 'policy-cedar';
  #loaded: LoadedPolicy | undefined;

  constructor(
    @inject(PolicyCedarConfiguration) private readonly configuration: PolicyCedarConfiguration,
    @inject(LoggerPort) private readonly log: LoggerPort,
    @inject(DefinitionStore) @optional() private readonly store?: DefinitionStore,
  ) {}

  /** @throws {PolicyInvalidError} with all issues of the policies */
  async start(): Promise<void> {
    const loaded = await loadPolicy(this.configuration.Policies.Directory);
    const { compiled } = loaded;
    // The policies must be stored and readable before they decide anything.
    await this.store?.saveDefinitions([
      { kind: 'policy', name: compiled.id, digest: compiled.digest, content: compiled.content },
    ]);
    this.#loaded = loaded;
    this.log.info(
      { policyId: compiled.id, policyDigest: compiled.digest, policies: compiled.policies.length },
      'loaded the policies',
    );
  }

  async stop(): Promise<void> {
    // Requests in progress may still need decisions.
  }

  current(): PolicyFunction {
    return this.#getCurrent().policy;
  }

  describeCurrent(): { readonly policyId: string; readonly digest: string } {
    const { id, digest } = this.#getCurrent().compiled;
    return { policyId: id, digest };
  }

  #getCurrent(): LoadedPolicy {
    if (this.#loaded !== undefined) return this.#loaded;
    throw new Error('The policies are not loaded, because the host has not been started.');
  }
}
