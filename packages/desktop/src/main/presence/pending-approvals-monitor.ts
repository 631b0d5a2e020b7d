import type { ChangeMessage } from '@countersign/contract';
import type { NotificationLevel, Snoozed } from '../../common/presence.js';
import type { FeedStatus } from '../../common/state.js';
import { Announcer, type Announcement } from './announcer.js';
import type { Clock } from './clock.js';
import type { PresenceFile } from './presence-file.js';
import { Snoozes } from './snoozes.js';
import { NotifiedApprovals } from './notified-approvals.js';
import { compareByUrgency, waitingItemKey, type WaitingItem } from './waiting-item.js';
import { WaitingWatch, type WaitingClient } from './waiting-watch.js';

/** Polling interval while the change feed is broken, in ms. */
const POLL_MS = 15_000;
/** Maximum timer duration: clocks are adjusted and machines sleep. */
const MAX_TIMER_MS = 60 * 60_000;

/** A user who is signed in at a server. */
export interface PresenceSession {
  readonly serverId: string;
  readonly subject: string;
  readonly feed: FeedStatus;
  /** A new object for each session. */
  readonly client: WaitingClient;
}

/** Approvals that wait for the user, over all servers. */
export interface WaitingApprovals {
  /** The most urgent first, without snoozed approvals. */
  readonly items: readonly WaitingItem[];
  /** Whether there are more than these. */
  readonly more: boolean;
  /** `false` until a server has responded: the waiting approvals are unknown. */
  readonly known: boolean;
}

interface PendingApprovalsMonitorOptions {
  readonly clock: Clock;
  readonly file: PresenceFile;
  /** Which notifications are wanted. */
  level(): NotificationLevel;
  /** Returns whether the user is viewing the inbox. */
  isInboxInView(): boolean;
  show(announcement: Announcement): void;
  withdraw(id: number): void;
  /** Called when the waiting approvals or the snoozes have changed. */
  onWaiting(waiting: WaitingApprovals): void;
}

interface WatchedServer {
  readonly session: PresenceSession;
  readonly watch: WaitingWatch;
}

/**
 * Tracks the approvals that wait for the user at the signed-in servers, the notifications shown for them, and snoozes.
 */
export class PendingApprovalsMonitor {
  private readonly watchedServers = new Map<string, WatchedServer>();
  private readonly notifiedApprovals: NotifiedApprovals;
  private readonly snoozes: Snoozes;
  private readonly announcer: Announcer;
  private readonly newServerIds = new Set<string>();
  private readonly unsnoozedKeys = new Set<string>();
  private stopTimer: (() => void) | undefined;
  private stopPolling: (() => void) | undefined;

  constructor(private readonly options: PendingApprovalsMonitorOptions) {
    this.notifiedApprovals = new NotifiedApprovals(options.file);
    this.snoozes = new Snoozes(options.file, options.clock);
    this.announcer = new Announcer(this.notifiedApprovals);
  }

  /** Sets the current sessions. Called when sessions or the states of their feeds change. */
  setSessions(sessions: readonly PresenceSession[]): void {
    for (const { session, watch } of [...this.watchedServers.values()]) {
      if (sessions.some(({ serverId, client }) => serverId === session.serverId && client === session.client)) continue;
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

  get waiting(): WaitingApprovals {
    const snoozedKeys = this.snoozes.keys;
    const readyServers = [...this.watchedServers.values()].filter(({ watch }) => watch.isReady);
    const items = readyServers
      .flatMap(({ watch }) => watch.items)
      .filter((item) => !snoozedKeys.has(waitingItemKey(item)));
    return {
      items: items.sort(compareByUrgency),
      more: readyServers.some(({ watch }) => !watch.isComplete),
      known: readyServers.length > 0 || this.watchedServers.size === 0,
    };
  }

  listSnoozed(serverId: string): readonly Snoozed[] {
    return this.snoozes.list(serverId);
  }

  /**
   * @param until in ms since the epoch
   * @returns whether the approval waits for this user and was snoozed
   */
  async snooze(serverId: string, { approvalId, round, until }: Snoozed): Promise<boolean> {
    const watch = this.watchedServers.get(serverId)?.watch;
    const item = watch?.items.find((each) => each.approvalId === approvalId) ?? (await watch?.load(approvalId));
    if (item === undefined || item.round !== round || !this.snoozes.add(item, until)) return false;
    this.notifiedApprovals.add([item]);
    this.update();
    return true;
  }

  /** Ends a snooze now, without a notification. */
  wake(serverId: string, item: Omit<Snoozed, 'until'>): void {
    if (this.snoozes.remove({ serverId, ...item })) this.update();
  }

  /** Deletes all data of a server that the user removes. */
  forgetServer(serverId: string): void {
    this.snoozes.keepOnly(serverId, []);
    this.notifiedApprovals.forget(serverId);
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

  /** Closes all notifications: the user views the inbox, or wants none. */
  closeNotifications(): void {
    for (const id of this.announcer.takeAll()) this.options.withdraw(id);
  }

  /** Called when a notification is no longer visible. */
  onNotificationClosed(id: number): void {
    this.announcer.onClosed(id);
  }

  /** Checks the time, which may have advanced without a timer while the machine was asleep. */
  check(): void {
    for (const each of this.snoozes.due()) {
      // In this order, so that a crash in between repeats the steps.
      this.notifiedApprovals.remove(each);
      this.unsnoozedKeys.add(waitingItemKey(each));
      this.snoozes.remove(each);
    }
    this.update();
  }

  stop(): void {
    this.setSessions([]);
    this.stopTimer?.();
  }

  private watchSession(session: PresenceSession): void {
    const { serverId, subject, feed, client } = session;
    const watchedServer = this.watchedServers.get(serverId);
    const watch =
      watchedServer?.watch ??
      new WaitingWatch({ serverId, client, clock: this.options.clock, onUpdate: () => this.onWatchUpdate(serverId) });
    this.watchedServers.set(serverId, { session, watch });
    if (watchedServer === undefined && this.notifiedApprovals.startTracking(serverId, subject))
      this.newServerIds.add(serverId);
    // Only when the feed is connected or known to be broken: an earlier list may be older than the feed's first change.
    const previousFeed = watchedServer?.session.feed;
    if ((feed === 'live' && previousFeed !== 'live') || (feed === 'polling' && !watch.isReady)) watch.refresh();
  }

  private onWatchUpdate(serverId: string): void {
    const watch = this.watchedServers.get(serverId)?.watch;
    if (watch?.isComplete === true) this.snoozes.keepOnly(serverId, watch.items);
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
    const { level, isInboxInView, show, withdraw, onWaiting } = this.options;
    const { waiting, unsnoozedKeys, newServerIds } = this;
    const quiet = this.mutedUntil !== null;
    const changes = this.announcer.update(waiting.items, {
      level: level(),
      isMuted: quiet,
      isInboxInView: isInboxInView(),
      newServerIds,
      unsnoozedKeys,
    });
    if (!quiet) {
      for (const item of waiting.items) unsnoozedKeys.delete(waitingItemKey(item));
      for (const [serverId, { watch }] of this.watchedServers) if (watch.isReady) newServerIds.delete(serverId);
    }
    for (const id of changes.withdraw) withdraw(id);
    for (const announcement of changes.show) show(announcement);
    onWaiting(waiting);
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
