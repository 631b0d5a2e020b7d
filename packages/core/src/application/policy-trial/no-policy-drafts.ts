import { injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import type { PolicyDraftPort } from '../../ports/policy.js';

/** Policy drafts of a server whose current policy does not support drafts. */
@injectable()
export class NoPolicyDrafts implements PolicyDraftPort {
  open(): Promise<never> {
    return Promise.reject(new ApiError('policy_not_found', 'The policy in force does not support drafts.'));
  }
}
