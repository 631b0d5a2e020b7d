import { inject, injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import { DefinitionStore } from '../ports/definitions.js';
import { PolicyPort } from '../ports/policy.js';

export type PolicyView = { policyId: string; digest: string; files: Record<string, string>; inForce: boolean };

/** The current policy and the policies that have been in force. */
@injectable()
export class Policies {
  constructor(
    @inject(PolicyPort) private readonly policy: PolicyPort,
    @inject(DefinitionStore) private readonly store: DefinitionStore,
  ) {}

  /** @throws {ApiError} `policy_not_found` */
  async getCurrent(): Promise<PolicyView> {
    const current = this.policy.describeCurrent?.();
    if (current === undefined)
      throw new ApiError('policy_not_found', 'The policy plugin does not report which policy is in force.');
    return this.get(current.digest);
  }

  /** @throws {ApiError} `policy_not_found` */
  async get(digest: string): Promise<PolicyView> {
    const found = await this.store.findDefinition('policy', digest);
    if (found === undefined)
      throw new ApiError('policy_not_found', `No policy with the digest ${digest} has been in force on this server.`);
    const { files = {} } = found.content as { files?: Record<string, string> };
    return { policyId: found.name, digest, files, inForce: this.policy.describeCurrent?.().digest === digest };
  }
}
