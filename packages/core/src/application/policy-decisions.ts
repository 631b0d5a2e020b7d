import { inject, injectable } from 'inversify';
import type { PageRequest, PolicyDecisionFilter } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import type { PageView } from './run-queries.js';
import { toRecordedDecisionView, type RecordedDecisionView } from './views/recorded-decision-view.js';

/** Queries for policy decisions across runs. */
@injectable()
export class PolicyDecisions {
  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /** Returns the policy decisions, newest first. */
  async list(filter: PolicyDecisionFilter, page: PageRequest): Promise<PageView<RecordedDecisionView>> {
    const { items, nextCursor } = await this.storage.listPolicyDecisions(filter, page);
    return { items: items.map(toRecordedDecisionView), nextCursor };
  }
}
