import type { ChangeMessage } from '@countersign/contract';
import type { NotificationLevel, SnoozedApproval } from '../../common/presence.js';
import type { FeedStatus } from '../../common/state.js';
import { NotificationPlanner, type Announcement } from './notification-planner.js';
import type { Clock } from './clock.js';
import type { PresenceFile } from './presence-file.js';
import { Snoozes } from './snoozes.js';
import { NotifiedItems } from './notified-items.js';
import { compareByUrgency, getWaitingItemKey, type WaitingItem } from './waiting-item.js';
import { WaitingItemsWatch, type InboxClient } from './waiting-items-watch.js';

/** Polling interval while the change feed is broken, in ms. */
const POLL_MS = 15_000;
/**
 * Maximum timer duration, in ms. It is limited because clocks may be adjusted and timers pause while the machine
 * sleeps.
 */
const MAX_TIMER_MS = 60 * 60_000;

/** A user who is signed in at a server. */
export interface PresenceSession {
  readonly serverId: string;
  readonly subject: string;
  readonly feed: FeedStatus;
  /** Whether the inbox of the user lists questions. */
  readonly listsQuestions: boolean;
  /** Client of the session; a different object for each session. */
  readonly client: InboxClient;
}

/** Approvals and questions that wait for the user, across all servers. */
export interface WaitingItems {
  /** The items, most urgent first, without snoozed ones. */
  readonly items: readonly WaitingItem[];
  /** Whether more items are waiting than `items` contains. */
  readonly hasMore: boolean;
  /** Whether the waiting items are known; `false` while no signed-in server has responded yet. */
  readonly isKnown: boolean;
}

interface WaitingItemsMonitorOptions {
  readonly clock: Clock;
  readonly file: PresenceFile;
  /** Returns the user's choice of which items trigger a notification. */
  level(): NotificationLevel;
  /** Returns whether the user is viewing the inbox. */
  isInboxInView(): boolean;
  show(announcement: Announcement): void;
  withdraw(id: number): void;
  /** Called after each update, for example of the waiting items, the snoozes or the end of muting. */
  onUpdate(waiting: WaitingItems): void;
}

interface WatchedServer {
  readonly session: PresenceSession;
  readonly watch: WaitingItemsWatch;
}

/**
 * Tracks the approvals and questions that wait for the user at the signed-in servers, the notifications shown for them,
 * and the snoozes of approvals.
 */
export class WaitingItemsMonitor {
  private readonly watchedServers = new Map<string, WatchedServer>();
  private readonly notifiedItems: NotifiedItems;
  private readonly snoozes: Snoozes;
  private readonly planner: NotificationPlanner;
  private readonly newServerIds = new Set<string>();
  private readonly unsnoozedKeys = new Set<string>();
  private stopTimer: (() => void) | undefined;
  private stopPolling: (() => void) | undefined;

  constructor(private readonly options: WaitingItemsMonitorOptions) {
    this.notifiedItems = new NotifiedItems(options.file);
    this.snoozes = new Snoozes(options.file, options.clock);
    this.planner = new NotificationPlanner(this.notifiedItems);
  }

  /** Sets the current sessions. Called when sessions or the states of their feeds change. */
  setSessions(sessions: readonly PresenceSession[]): void {
    for (const { session, watch } of [...this.watchedServers.values()]) {
      if (sessions.some((each) => isSameSession(each, session))) continue;
      watch.close();
      this.watchedServers.delete(session.serverId);
    }
    for (const session of sessions) this.watchSession(session);
    this.schedulePolling();
    this.update();
  }

  onChange(serverId: string, message: ChangeMessage): void {
    this.watchedServers.get(serverId)?.watch.onChange(message);
  }

  get waiting(): WaitingItems {
    const snoozedKeys = this.snoozes.keys;
    const readyServers = [...this.watchedServers.values()].filter(({ watch }) => watch.isReady);
    const items = readyServers
      .flatMap(({ watch }) => watch.items)
      .filter((item) => !snoozedKeys.has(getWaitingItemKey(item)));
    return {
      items: items.sort(compareByUrgency),
      hasMore: readyServers.some(({ watch }) => !watch.isComplete),
      isKnown: readyServers.length > 0 || this.watchedServers.size === 0,
    };
  }

  listSnoozed(serverId: string): readonly SnoozedApproval[] {
    return this.snoozes.list(serverId);
  }

  /**
   * @param until in ms since the epoch
   * @returns whether the approval waits for this user and was snoozed
   */
  async snooze(serverId: string, { approvalId, round, until }: SnoozedApproval): Promise<boolean> {
    const watch = this.watchedServers.get(serverId)?.watch;
    const item =
      watch?.approvals.find((each) => each.approvalId === approvalId) ?? (await watch?.loadApproval(approvalId));
    if (item === undefined || item.round !== round || !this.snoozes.add(item, until)) return false;
    this.notifiedItems.add([item]);
    this.update();
    return true;
  }

  /** Ends a snooze now, without a notification. */
  wake(serverId: string, item: Omit<SnoozedApproval, 'until'>): void {
    if (this.snoozes.remove({ serverId, ...item })) this.update();
  }

  /** Deletes all data of a server that the user removes. */
  forgetServer(serverId: string): void {
    this.snoozes.keepOnly(serverId, []);
    this.notifiedItems.forget(serverId);
    this.update();
  }

  get mutedUntil(): number | null {
    const { quietUntil } = this.options.file.value;
    return quietUntil !== null && quietUntil > this.options.clock.now() ? quietUntil : null;
  }

  /**
   * Mutes notifications until a time, in ms since the epoch; `null`: unmutes now. Missed notifications are shown
   * afterwards.
   */
  mute(until: number | null): void {
    this.options.file.update({ quietUntil: until });
    if (until !== null) this.closeNotifications();
    this.update();
  }

  /** Closes all notifications, because the user views the inbox or has muted or disabled notifications. */
  closeNotifications(): void {
    for (const id of this.planner.takeAll()) this.options.withdraw(id);
  }

  /** Called when a notification is no longer visible. */
  onNotificationClosed(id: number): void {
    this.planner.onClosed(id);
  }

  /**
   * Removes the snoozes that have ended and updates the notifications. Also called after the machine was asleep,
   * because timers pause then.
   */
  check(): void {
    for (const each of this.snoozes.getEnded()) {
      // In this order, so that a crash in between repeats the steps.
      this.notifiedItems.remove(each);
      this.unsnoozedKeys.add(getWaitingItemKey(each));
      this.snoozes.remove(each);
    }
    this.update();
  }

  stop(): void {
    this.setSessions([]);
    this.stopTimer?.();
  }

  private watchSession(session: PresenceSession): void {
    const { serverId, subject, feed, listsQuestions, client } = session;
    const watchedServer = this.watchedServers.get(serverId);
    const watch =
      watchedServer?.watch ??
      new WaitingItemsWatch({
        serverId,
        client,
        listsQuestions,
        clock: this.options.clock,
        onUpdate: () => this.onWatchUpdate(serverId),
      });
    this.watchedServers.set(serverId, { session, watch });
    if (watchedServer === undefined && this.notifiedItems.startTracking(serverId, subject))
      this.newServerIds.add(serverId);
    // Loads the list only when the feed is connected or known to be broken, because changes between an earlier list and
    // the start of the feed would be missed.
    const previousFeed = watchedServer?.session.feed;
    if ((feed === 'live' && previousFeed !== 'live') || (feed === 'polling' && !watch.isReady)) watch.refresh();
  }

  private onWatchUpdate(serverId: string): void {
    const watch = this.watchedServers.get(serverId)?.watch;
    if (watch?.hasAllApprovals === true) this.snoozes.keepOnly(serverId, watch.approvals);
    this.update();
  }

  private schedulePolling(): void {
    const polledServers = [...this.watchedServers.values()].filter(({ session }) => session.feed === 'polling');
    if (polledServers.length === 0) {
      this.stopPolling?.();
      this.stopPolling = undefined;
      return;
    }
    this.stopPolling ??= this.options.clock.schedule(POLL_MS, () => {
      this.stopPolling = undefined;
      for (const { session, watch } of this.watchedServers.values()) if (session.feed === 'polling') watch.refresh();
      this.schedulePolling();
    });
  }

  private update(): void {
    const { level, isInboxInView, show, withdraw, onUpdate } = this.options;
    const { waiting, unsnoozedKeys, newServerIds } = this;
    const isMuted = this.mutedUntil !== null;
    const changes = this.planner.update(waiting.items, {
      level: level(),
      isMuted,
      isInboxInView: isInboxInView(),
      newServerIds,
      unsnoozedKeys,
    });
    if (!isMuted) {
      for (const item of waiting.items) unsnoozedKeys.delete(getWaitingItemKey(item));
      for (const [serverId, { watch }] of this.watchedServers) if (watch.isReady) newServerIds.delete(serverId);
    }
    for (const id of changes.withdraw) withdraw(id);
    for (const announcement of changes.show) show(announcement);
    onUpdate(waiting);
    this.setTimer();
  }

  private setTimer(): void {
    const { clock } = this.options;
    this.stopTimer?.();
    const wakeTimes = [this.snoozes.nextEnd, this.mutedUntil ?? undefined].filter((end) => end !== undefined);
    if (wakeTimes.length === 0) return;
    this.stopTimer = clock.schedule(Math.min(MAX_TIMER_MS, Math.max(0, Math.min(...wakeTimes) - clock.now())), () =>
      this.check(),
    );
  }
}

function isSameSession(one: PresenceSession, other: PresenceSession): boolean {
  return one.serverId === other.serverId && one.client === other.client && one.listsQuestions === other.listsQuestions;
}
