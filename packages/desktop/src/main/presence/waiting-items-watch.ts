import type { ChangeMessage, Client } from '@countersign/contract';
import { ApprovalSource } from './approval-source.js';
import type { Clock } from './clock.js';
import { QuestionSource, type QuestionClient } from './question-source.js';
import type { WaitingApproval, WaitingItem, WaitingQuestion } from './waiting-item.js';
import { WaitingList } from './waiting-list.js';

/** Delay before changes are processed, in ms. Changes arrive in bursts and are processed together. */
const BATCH_DELAY_MS = 100;
/** Delay before a failed request is repeated, in ms. */
const RETRY_MS = 5_000;

export type InboxClient = Pick<Client, 'listInbox'> & QuestionClient;

type AnyWaitingList = WaitingList<WaitingApproval> | WaitingList<WaitingQuestion>;

interface WaitingItemsWatchOptions {
  readonly serverId: string;
  readonly client: InboxClient;
  readonly clock: Clock;
  /** Whether the inbox of the user lists questions. */
  readonly listsQuestions: boolean;
  onUpdate(): void;
}

/**
 * Tracks the approvals and questions that wait for the signed-in user at one server: loads the lists when the change
 * feed starts, then reloads the items that the feed reports. If questions cannot be loaded, approvals are tracked as if
 * there were none.
 */
export class WaitingItemsWatch {
  private readonly approvalSource: ApprovalSource;
  private readonly approvalList: WaitingList<WaitingApproval>;
  private readonly questionList: WaitingList<WaitingQuestion> | undefined;
  private isProcessing = false;
  private isStarted = false;
  private isClosed = false;
  private cancelTimer: (() => void) | undefined;
  /** The lists that have failed to load, until they are tried again. */
  private readonly pausedLists = new Set<AnyWaitingList>();

  constructor(private readonly options: WaitingItemsWatchOptions) {
    const { serverId, client, clock, listsQuestions } = options;
    this.approvalSource = new ApprovalSource(serverId, client);
    this.approvalList = new WaitingList(this.approvalSource);
    this.questionList = listsQuestions ? new WaitingList(new QuestionSource(serverId, client, clock)) : undefined;
  }

  /** Whether the waiting approvals have been loaded, and the questions also, unless that failed. */
  get isReady(): boolean {
    return this.isStarted;
  }

  /** Whether all waiting items are loaded; otherwise only the most urgent are. */
  get isComplete(): boolean {
    return this.isStarted && this.lists.every(({ isComplete }) => isComplete);
  }

  get hasAllApprovals(): boolean {
    return this.approvalList.isComplete;
  }

  get approvals(): readonly WaitingApproval[] {
    return this.approvalList.items;
  }

  get items(): readonly WaitingItem[] {
    return this.lists.flatMap(({ items }): readonly WaitingItem[] => items);
  }

  onChange(message: ChangeMessage): void {
    if (message.type === 'reset') return this.refresh();
    for (const list of this.lists) list.onChange(message.change);
    if (this.hasWork) this.scheduleProcessing(BATCH_DELAY_MS);
  }

  /** Schedules loading the lists, because the feed has started, was reset or is broken. */
  refresh(): void {
    for (const list of this.lists) list.refresh();
    this.pausedLists.clear();
    this.scheduleProcessing(0);
  }

  /** Loads an approval; returns `undefined` if it does not wait for this user. */
  async loadApproval(approvalId: string): Promise<WaitingApproval | undefined> {
    return (await this.approvalSource.loadItems([approvalId]))[0];
  }

  close(): void {
    this.isClosed = true;
    this.cancelTimer?.();
  }

  private get lists(): readonly AnyWaitingList[] {
    return this.questionList === undefined ? [this.approvalList] : [this.approvalList, this.questionList];
  }

  private get hasWork(): boolean {
    return this.lists.some((list) => list.isStale && !this.pausedLists.has(list));
  }

  private scheduleProcessing(ms: number): void {
    if (this.isProcessing || this.isClosed) return;
    this.cancelTimer?.();
    this.cancelTimer = this.options.clock.schedule(ms, () => void this.processChanges());
  }

  private async processChanges(): Promise<void> {
    this.isProcessing = true;
    let hasUpdated = false;
    for (const list of this.lists) {
      if (!list.isStale || this.pausedLists.has(list) || this.isClosed) continue;
      try {
        await list.update(() => this.isClosed);
        hasUpdated = true;
      } catch {
        // The error is not reported, because the same items are loaded again later.
        this.pause(list);
      }
    }
    this.isProcessing = false;
    if (this.isClosed) return;
    this.isStarted ||= this.approvalList.isLoaded;
    if (this.hasWork) this.scheduleProcessing(BATCH_DELAY_MS);
    if (hasUpdated) this.options.onUpdate();
  }

  /** Loads a list later, so that changes of the other list are not delayed by requests that fail again. */
  private pause(list: AnyWaitingList): void {
    this.pausedLists.add(list);
    this.options.clock.schedule(RETRY_MS, () => {
      if (this.pausedLists.delete(list)) this.scheduleProcessing(0);
    });
  }
}
