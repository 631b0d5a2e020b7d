import type { NotificationLevel } from '../../common/presence.js';
import type { NotifiedItems } from './notified-items.js';
import { compareByUrgency, isHighRisk, getWaitingItemKey, type WaitingItem } from './waiting-item.js';

/** Maximum number of notifications that are visible at the same time; more are combined into a summary. */
const MAX_VISIBLE_NOTIFICATIONS = 3;

/** A notification about one or several items. */
export interface Announcement {
  readonly id: number;
  /** The items, most urgent first. */
  readonly items: readonly WaitingItem[];
  /** `summary`: shows a number, even for one item. */
  readonly kind: 'one' | 'summary';
  /** Whether the notification reminds the user of an approval whose snooze has ended. */
  readonly isReminder: boolean;
}

export interface NotificationContext {
  readonly level: NotificationLevel;
  /** Whether notifications are muted now and shown later. */
  readonly isMuted: boolean;
  /** Whether the user is viewing the inbox and sees new items there. */
  readonly isInboxInView: boolean;
  /** Servers whose inbox is loaded for the first time. */
  readonly newServerIds: ReadonlySet<string>;
  /** Keys of approvals whose snooze has just ended. */
  readonly unsnoozedKeys: ReadonlySet<string>;
}

/** Notifications to show, and ids of those to close. */
export interface NotificationChanges {
  readonly show: readonly Announcement[];
  readonly withdraw: readonly number[];
}

/** Decides which notifications to show, each once, and which to close. */
export class NotificationPlanner {
  private readonly openAnnouncements = new Map<number, Announcement>();
  private lastId = 0;

  constructor(private readonly notifiedItems: NotifiedItems) {}

  /** @param waiting all waiting items, without snoozed ones */
  update(
    waiting: readonly WaitingItem[],
    { level, isMuted, isInboxInView, newServerIds, unsnoozedKeys }: NotificationContext,
  ): NotificationChanges {
    const keys = new Set(waiting.map(getWaitingItemKey));
    const withdraw = [...this.openAnnouncements.values()]
      .filter(({ items }) => !items.some((item) => keys.has(getWaitingItemKey(item))))
      .map(({ id }) => id);
    for (const id of withdraw) this.openAnnouncements.delete(id);
    const newItems = waiting.filter((item) => !this.notifiedItems.has(item));
    if (isMuted || newItems.length === 0) return { show: [], withdraw };
    this.notifiedItems.add(newItems);
    const isReminder = (item: WaitingItem): boolean => unsnoozedKeys.has(getWaitingItemKey(item));
    const itemsToAnnounce = newItems
      .filter(
        (item) => level !== 'off' && (isReminder(item) || (!isInboxInView && (level === 'all' || isHighRisk(item)))),
      )
      .sort(compareByUrgency);
    if (itemsToAnnounce.length === 0) return { show: [], withdraw };
    const visibleAnnouncements = [...this.openAnnouncements.values()];
    const exceedsLimit = visibleAnnouncements.length + itemsToAnnounce.length > MAX_VISIBLE_NOTIFICATIONS;
    if (!exceedsLimit && !itemsToAnnounce.some(({ serverId }) => newServerIds.has(serverId)))
      return {
        show: itemsToAnnounce.map((item) => this.createAnnouncement([item], 'one', isReminder(item))),
        withdraw,
      };
    // A summary replaces the visible notifications.
    const visibleItems = visibleAnnouncements
      .flatMap(({ items }) => items)
      .filter((item) => keys.has(getWaitingItemKey(item)));
    for (const { id } of visibleAnnouncements) this.openAnnouncements.delete(id);
    return {
      show: [this.createAnnouncement([...visibleItems, ...itemsToAnnounce].sort(compareByUrgency), 'summary', false)],
      withdraw: [...withdraw, ...visibleAnnouncements.map(({ id }) => id)],
    };
  }

  /** Called when the notification is no longer visible, for example because the user clicked it. */
  onClosed(id: number): void {
    this.openAnnouncements.delete(id);
  }

  /** Forgets all visible notifications and returns their ids. */
  takeAll(): readonly number[] {
    const ids = [...this.openAnnouncements.keys()];
    this.openAnnouncements.clear();
    return ids;
  }

  private createAnnouncement(
    items: readonly WaitingItem[],
    kind: Announcement['kind'],
    isReminder: boolean,
  ): Announcement {
    const announcement = { id: (this.lastId += 1), items, kind, isReminder };
    this.openAnnouncements.set(announcement.id, announcement);
    return announcement;
  }
}
