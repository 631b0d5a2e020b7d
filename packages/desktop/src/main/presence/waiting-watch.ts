import { ProblemError, type Approval, type ChangeMessage, type Client } from '@countersign/contract';
import type { Clock } from './clock.js';
import { waitingItemOf, type WaitingItem } from './waiting-item.js';

const PAGE = 200;
/** Maximum number of tracked approvals; the list only reports that there are more. */
const MAX_WAITING = 1_000;
/** Changes come in bursts: delay before they are processed together, in ms. */
const REST_MS = 100;
/** Delay before a failed request is repeated, in ms. */
const AGAIN_MS = 5_000;
/** If more approvals than this have changed, the whole list is loaded instead of each approval. */
const ONE_BY_ONE = 8;

export type WaitingClient = Pick<Client, 'listApprovals' | 'getApproval'>;

interface WaitingWatchOptions {
  readonly serverId: string;
  readonly client: WaitingClient;
  readonly clock: Clock;
  onUpdate(): void;
}

/**
 * Tracks the approvals that wait for the signed-in user at one server: loads the list when the change feed starts, then
 * reloads each approval that the feed reports.
 */
export class WaitingWatch {
  private readonly byId = new Map<string, WaitingItem>();
  private dirty = new Set<string>();
  private all = false;
  private running = false;
  private closed = false;
  private callOff: (() => void) | undefined;
  private listed = false;
  private more = false;

  constructor(private readonly options: WaitingWatchOptions) {}

  /** Whether the waiting approvals have been loaded. */
  get ready(): boolean {
    return this.listed;
  }

  /** Whether all waiting approvals are loaded; otherwise only the most urgent are. */
  get complete(): boolean {
    return this.listed && !this.more;
  }

  get items(): readonly WaitingItem[] {
    return [...this.byId.values()];
  }

  changed(message: ChangeMessage): void {
    if (message.type === 'reset') return this.refresh();
    const { type, data } = message.change;
    const { approvalId } = data;
    if (!type.startsWith('approval.') || typeof approvalId !== 'string') return;
    this.dirty.add(approvalId);
    this.soon(REST_MS);
  }

  /** Loads the list again, because the feed has started or is broken. */
  refresh(): void {
    this.all = true;
    this.soon(0);
  }

  /** Returns the current state of an approval; `undefined` if it does not wait for this user. */
  async look(approvalId: string): Promise<WaitingItem | undefined> {
    const { client, serverId } = this.options;
    try {
      const approval = await client.getApproval({ approvalId });
      return waits(approval) ? waitingItemOf(serverId, approval) : undefined;
    } catch (error) {
      if (error instanceof ProblemError && (error.status === 404 || error.status === 403)) return undefined;
      throw error;
    }
  }

  close(): void {
    this.closed = true;
    this.callOff?.();
  }

  private soon(ms: number): void {
    if (this.running || this.closed) return;
    this.callOff?.();
    this.callOff = this.options.clock.after(ms, () => void this.run());
  }

  private async run(): Promise<void> {
    this.running = true;
    const { dirty } = this;
    const all = this.all || dirty.size > ONE_BY_ONE;
    this.dirty = new Set();
    this.all = false;
    let failed = false;
    try {
      if (all) await this.list();
      else for (const approvalId of dirty) this.put(approvalId, await this.look(approvalId));
    } catch {
      // The session displays the reason. The pending requests are kept.
      failed = true;
      this.all ||= all;
      for (const approvalId of dirty) this.dirty.add(approvalId);
    }
    this.running = false;
    if (this.closed) return;
    if (this.all || this.dirty.size > 0) this.soon(failed ? AGAIN_MS : REST_MS);
    if (!failed) this.options.onUpdate();
  }

  private async list(): Promise<void> {
    const { client, serverId } = this.options;
    const found: WaitingItem[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.listApprovals({
        inbox: 'mine',
        sort: 'urgency',
        limit: PAGE,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.items.filter(waits).map((approval) => waitingItemOf(serverId, approval)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && found.length < MAX_WAITING && !this.closed);
    this.byId.clear();
    for (const item of found) this.byId.set(item.approvalId, item);
    this.more = cursor !== undefined;
    this.listed = true;
  }

  private put(approvalId: string, item: WaitingItem | undefined): void {
    if (item !== undefined) this.byId.set(approvalId, item);
    else if (!this.byId.delete(approvalId)) return;
    // Loads the list again to fill up a partial list, or to drop items beyond the maximum.
    if ((this.more && this.byId.size < MAX_WAITING / 2) || this.byId.size > 2 * MAX_WAITING) this.all = true;
  }
}

function waits({ status, canDecide }: Approval): boolean {
  return status === 'pending' && canDecide.allowed;
}
