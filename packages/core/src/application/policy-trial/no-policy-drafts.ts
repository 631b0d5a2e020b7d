import { injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import type { PolicyDraftPort } from '../../ports/policy.js';

/** Where the policy in force is of a kind that takes no drafts. */
@injectable()
export class NoPolicyDrafts implements PolicyDraftPort {
  open(): Promise<never> {
    return Promise.reject(new ApiError('policy_not_found', 'The policy in force does not support drafts.'));
  }
}
