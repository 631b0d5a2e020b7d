import type { Change, Client, InboxItem } from '@countersign/contract';
import { toWaitingApproval } from './to-waiting-item.js';
import type { WaitingApproval } from './waiting-item.js';
import type { WaitingItemSource } from './waiting-list.js';

const PAGE_SIZE = 200;

/** Loads the approvals that wait for the user. */
export class ApprovalSource implements WaitingItemSource<WaitingApproval> {
  readonly maxChangedLoads = 50;

  constructor(
    private readonly serverId: string,
    private readonly client: Pick<Client, 'listInbox'>,
  ) {}

  findChangedIds({ type, data: { approvalId } }: Change): readonly string[] {
    return type.startsWith('approval.') && typeof approvalId === 'string' ? [approvalId] : [];
  }

  async loadPage(
    cursor: string | undefined,
  ): Promise<{ readonly items: readonly WaitingApproval[]; readonly nextCursor: string | null }> {
    const { items, nextCursor } = await this.client.listInbox({
      inbox: 'mine',
      sort: 'urgency',
      limit: PAGE_SIZE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    return { items: this.selectWaiting(items), nextCursor };
  }

  async loadItems(ids: readonly string[]): Promise<readonly WaitingApproval[]> {
    const query = { approvalIds: ids.join(','), status: 'all', limit: PAGE_SIZE } as const;
    return this.selectWaiting((await this.client.listInbox(query)).items);
  }

  private selectWaiting(items: readonly InboxItem[]): readonly WaitingApproval[] {
    return items
      .filter(({ status, canDecide }) => status === 'pending' && canDecide.allowed)
      .map((approval) => toWaitingApproval(this.serverId, approval));
  }
}
