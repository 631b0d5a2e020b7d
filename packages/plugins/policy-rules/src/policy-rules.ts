import { injectable } from 'inversify';
import type { PolicyFunction, PolicyPort } from '@countersign/core/plugin';
import { createPolicy } from './create-policy.js';

/** The built-in policy: risk by step type and declared factors. The rules are constant while the server runs. */
@injectable()
export class PolicyRules implements PolicyPort {
  readonly #policy = createPolicy();

  current(): PolicyFunction {
    return this.#policy;
  }
}
