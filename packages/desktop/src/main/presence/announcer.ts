import type { NotificationLevel } from '../../common/presence.js';
import type { NotifiedApprovals } from './notified-approvals.js';
import { byUrgency, isHigh, keyOf, type WaitingItem } from './waiting-item.js';

/** More than that at once become one. */
const MAX_AT_ONCE = 3;

/** A notification: of one approval, or of several. */
export interface Announcement {
  readonly id: number;
  /** The most urgent first. */
  readonly items: readonly WaitingItem[];
  /** `summary`: said as a number, also of one. */
  readonly kind: 'one' | 'summary';
  /** Whether it was put off and comes back now. */
  readonly reminds: boolean;
}

export interface Circumstances {
  readonly level: NotificationLevel;
  /** Nothing is told now, and told of later. */
  readonly quiet: boolean;
  /** The person looks at the inbox: what is new they see there. */
  readonly attended: boolean;
  /** Servers whose inbox is seen for the first time. */
  readonly first: ReadonlySet<string>;
  /** Keys of what has just woken. */
  readonly woken: ReadonlySet<string>;
}

/** What has to be shown, and the ids of what has to go. */
export interface Announcing {
  readonly show: readonly Announcement[];
  readonly withdraw: readonly number[];
}

/** Decides what somebody is told of, once each, and what does not have to be said any more. */
export class Announcer {
  private readonly open = new Map<number, Announcement>();
  private lastId = 0;

  constructor(private readonly notified: NotifiedApprovals) {}

  /** @param waiting all that waits now, without what was put off */
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
    // One says it all, in the place of those that are in sight.
    const before = inView.flatMap(({ items }) => items).filter((item) => keys.has(keyOf(item)));
    for (const { id } of inView) this.open.delete(id);
    return {
      show: [this.opened([...before, ...loud].sort(byUrgency), 'summary', false)],
      withdraw: [...withdraw, ...inView.map(({ id }) => id)],
    };
  }

  /** The person has closed it, or acted on it. */
  gone(id: number): void {
    this.open.delete(id);
  }

  /** All that is in sight. */
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
