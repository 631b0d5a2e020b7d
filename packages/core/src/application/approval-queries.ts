import { inject, injectable } from 'inversify';
import { ClockPort } from '../ports/clock.js';
import type { ApprovalFilter, PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import type { Viewer } from './caller.js';
import { approvalNotFound } from './refuse.js';
import type { PageView } from './run-queries.js';
import { approvalView, type ApprovalView } from './views/approval-view.js';

export interface ApprovalListRequest extends PageRequest {
  readonly filter: Omit<ApprovalFilter, 'decidableBy'>;
  /** Only those that the viewer may decide. */
  readonly mine?: boolean;
}

/** Approvals, each with whether the one who looks may decide it. */
@injectable()
export class ApprovalQueries {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  async list({ filter, mine, limit, cursor }: ApprovalListRequest, viewer: Viewer): Promise<PageView<ApprovalView>> {
    const { actor } = viewer;
    // Services decide nothing, and without the role nobody does.
    if (mine === true && (actor.type !== 'user' || !viewer.mayDecide)) return { items: [], nextCursor: null };
    const decidableBy = { id: actor.id, groups: actor.groups ?? [] };
    const page = await this.storage.listApprovals(
      { ...filter, ...(mine === true ? { decidableBy } : {}) },
      { limit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const now = this.clock.now();
    return { items: page.items.map((approval) => approvalView(approval, viewer, now)), nextCursor: page.nextCursor };
  }

  /** @throws {CountersignError} `approval_not_found` */
  async get(approvalId: string, viewer: Viewer): Promise<ApprovalView> {
    const found = await this.storage.findApproval(approvalId);
    if (found === undefined) throw approvalNotFound(approvalId);
    return approvalView(found, viewer, this.clock.now());
  }
}
