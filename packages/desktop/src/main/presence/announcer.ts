import type { NotificationLevel } from '../../common/presence.js';
import type { NotifiedApprovals } from './notified-approvals.js';
import { byUrgency, isHigh, keyOf, type WaitingItem } from './waiting-item.js';

/** More notifications at the same time are combined into one. */
const MAX_AT_ONCE = 3;

/** A notification about one or several approvals. */
export interface Announcement {
  readonly id: number;
  /** The most urgent first. */
  readonly items: readonly WaitingItem[];
  /** `summary`: shows a number, even for one approval. */
  readonly kind: 'one' | 'summary';
  /** Whether a snooze has ended. */
  readonly reminds: boolean;
}

export interface Circumstances {
  readonly level: NotificationLevel;
  /** Whether notifications are muted now and shown later. */
  readonly quiet: boolean;
  /** Whether the user is viewing the inbox and sees new approvals there. */
  readonly attended: boolean;
  /** Servers whose inbox is loaded for the first time. */
  readonly first: ReadonlySet<string>;
  /** Keys of approvals whose snooze has just ended. */
  readonly woken: ReadonlySet<string>;
}

/** Notifications to show, and ids of those to close. */
export interface Announcing {
  readonly show: readonly Announcement[];
  readonly withdraw: readonly number[];
}

/** Decides which notifications to show, each once, and which to close. */
export class Announcer {
  private readonly open = new Map<number, Announcement>();
  private lastId = 0;

  constructor(private readonly notified: NotifiedApprovals) {}

  /** @param waiting all waiting approvals, without snoozed ones */
  update(waiting: readonly WaitingItem[], { level, quiet, attended, first, woken }: Circumstances): Announcing {
    const keys = new Set(waiting.map(keyOf));
    const withdraw = [...this.open.values()]
      .filter(({ items }) => !items.some((item) => keys.has(keyOf(item))))
      .map(({ id }) => id);
    for (const id of withdraw) this.open.delete(id);
    const fresh = waiting.filter((item) => !this.notified.has(item));
    if (quiet || fresh.length === 0) return { show: [], withdraw };
    this.notified.add(fresh);
    const isReminder = (item: WaitingItem): boolean => woken.has(keyOf(item));
    const loud = fresh
      .filter((item) => level !== 'off' && (isReminder(item) || (!attended && (level === 'all' || isHigh(item)))))
      .sort(byUrgency);
    if (loud.length === 0) return { show: [], withdraw };
    const inView = [...this.open.values()];
    const many = inView.length + loud.length > MAX_AT_ONCE;
    if (!many && !loud.some(({ serverId }) => first.has(serverId)))
      return { show: loud.map((item) => this.opened([item], 'one', isReminder(item))), withdraw };
    // A summary replaces the visible notifications.
    const before = inView.flatMap(({ items }) => items).filter((item) => keys.has(keyOf(item)));
    for (const { id } of inView) this.open.delete(id);
    return {
      show: [this.opened([...before, ...loud].sort(byUrgency), 'summary', false)],
      withdraw: [...withdraw, ...inView.map(({ id }) => id)],
    };
  }

  /** Called when the user has closed or clicked the notification. */
  gone(id: number): void {
    this.open.delete(id);
  }

  /** Takes all visible notifications. */
  takeAll(): readonly number[] {
    const ids = [...this.open.keys()];
    this.open.clear();
    return ids;
  }

  private opened(items: readonly WaitingItem[], kind: Announcement['kind'], reminds: boolean): Announcement {
    const announcement = { id: (this.lastId += 1), items, kind, reminds };
    this.open.set(announcement.id, announcement);
    return announcement;
  }
}
