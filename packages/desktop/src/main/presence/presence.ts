import type { ChangeMessage } from '@countersign/contract';
import type { NotificationLevel, Snoozed } from '../../common/presence.js';
import type { FeedStatus } from '../../common/state.js';
import { Announcer, type Announcement } from './announcer.js';
import type { Clock } from './clock.js';
import type { PresenceFile } from './presence-file.js';
import { Snoozes } from './snoozes.js';
import { NotifiedApprovals } from './notified-approvals.js';
import { byUrgency, keyOf, type WaitingItem } from './waiting-item.js';
import { WaitingWatch, type WaitingClient } from './waiting-watch.js';

/** Polling interval while the change feed is broken, in ms. */
const POLL_MS = 15_000;
/** Maximum timer duration: clocks are adjusted and machines sleep. */
const LONGEST_TIMER_MS = 60 * 60_000;

/** A user who is signed in at a server. */
export interface PresenceSession {
  readonly serverId: string;
  readonly subject: string;
  readonly feed: FeedStatus;
  /** A new object for each session. */
  readonly client: WaitingClient;
}

/** Approvals that wait for the user, over all servers. */
export interface Waiting {
  /** The most urgent first, without snoozed approvals. */
  readonly items: readonly WaitingItem[];
  /** Whether there are more than these. */
  readonly more: boolean;
  /** `false` until a server has responded: the waiting approvals are unknown. */
  readonly known: boolean;
}

interface PresenceOptions {
  readonly clock: Clock;
  readonly file: PresenceFile;
  /** Which notifications are wanted. */
  level(): NotificationLevel;
  /** Returns whether the user is viewing the inbox. */
  isAttended(): boolean;
  show(announcement: Announcement): void;
  withdraw(id: number): void;
  /** Called when the waiting approvals or the snoozes have changed. */
  onWaiting(waiting: Waiting): void;
}

interface Watched {
  readonly session: PresenceSession;
  readonly watch: WaitingWatch;
}

/**
 * Tracks the approvals that wait for the user at the signed-in servers, the notifications shown for them, and snoozes.
 */
export class PendingApprovalsMonitor {
  private readonly watched = new Map<string, Watched>();
  private readonly notified: NotifiedApprovals;
  private readonly snoozes: Snoozes;
  private readonly announcer: Announcer;
  private readonly first = new Set<string>();
  private readonly woken = new Set<string>();
  private stopTimer: (() => void) | undefined;
  private stopPolling: (() => void) | undefined;

  constructor(private readonly options: PresenceOptions) {
    this.notified = new NotifiedApprovals(options.file);
    this.snoozes = new Snoozes(options.file, options.clock);
    this.announcer = new Announcer(this.notified);
  }

  /** Sets the current sessions. Called when sessions or the states of their feeds change. */
  sessions(sessions: readonly PresenceSession[]): void {
    for (const { session, watch } of [...this.watched.values()]) {
      if (sessions.some(({ serverId, client }) => serverId === session.serverId && client === session.client)) continue;
      watch.close();
      this.watched.delete(session.serverId);
    }
    for (const session of sessions) this.follow(session);
    this.poll();
    this.update();
  }

  changed(serverId: string, message: ChangeMessage): void {
    this.watched.get(serverId)?.watch.changed(message);
  }

  get waiting(): Waiting {
    const asleep = this.snoozes.keys;
    const ready = [...this.watched.values()].filter(({ watch }) => watch.ready);
    const items = ready.flatMap(({ watch }) => watch.items).filter((item) => !asleep.has(keyOf(item)));
    return {
      items: items.sort(byUrgency),
      more: ready.some(({ watch }) => !watch.complete),
      known: ready.length > 0 || this.watched.size === 0,
    };
  }

  snoozed(serverId: string): readonly Snoozed[] {
    return this.snoozes.of(serverId);
  }

  /**
   * @param until in ms since the epoch
   * @returns whether the approval waits for this user and was snoozed
   */
  async snooze(serverId: string, { approvalId, round, until }: Snoozed): Promise<boolean> {
    const watch = this.watched.get(serverId)?.watch;
    const item = watch?.items.find((each) => each.approvalId === approvalId) ?? (await watch?.look(approvalId));
    if (item === undefined || item.round !== round || !this.snoozes.put(item, until)) return false;
    this.notified.add([item]);
    this.update();
    return true;
  }

  /** Ends a snooze now, without a notification. */
  wake(serverId: string, item: Omit<Snoozed, 'until'>): void {
    if (this.snoozes.wake({ serverId, ...item })) this.update();
  }

  /** Deletes all data of a server that the user removes. */
  forgetServer(serverId: string): void {
    this.snoozes.keepOnly(serverId, []);
    this.notified.forget(serverId);
    this.update();
  }

  get quietUntil(): number | null {
    const { quietUntil } = this.options.file.value;
    return quietUntil !== null && quietUntil > this.options.clock.now() ? quietUntil : null;
  }

  /**
   * Mutes notifications until a time, in ms since the epoch; `null`: unmutes now. Missed notifications are shown
   * afterwards.
   */
  quiet(until: number | null): void {
    this.options.file.change({ quietUntil: until });
    if (until !== null) this.clear();
    this.update();
  }

  /** Closes all notifications: the user views the inbox, or wants none. */
  clear(): void {
    for (const id of this.announcer.takeAll()) this.options.withdraw(id);
  }

  /** Called when a notification is no longer visible. */
  gone(id: number): void {
    this.announcer.gone(id);
  }

  /** Checks the time, which may have advanced without a timer while the machine was asleep. */
  look(): void {
    for (const each of this.snoozes.due()) {
      // In this order, so that a crash in between repeats the steps.
      this.notified.remove(each);
      this.woken.add(keyOf(each));
      this.snoozes.wake(each);
    }
    this.update();
  }

  stop(): void {
    this.sessions([]);
    this.stopTimer?.();
  }

  private follow(session: PresenceSession): void {
    const { serverId, subject, feed, client } = session;
    const known = this.watched.get(serverId);
    const watch =
      known?.watch ??
      new WaitingWatch({ serverId, client, clock: this.options.clock, onUpdate: () => this.watchTold(serverId) });
    this.watched.set(serverId, { session, watch });
    if (known === undefined && this.notified.begin(serverId, subject)) this.first.add(serverId);
    // Only when the feed is connected or known to be broken: an earlier list may be older than the feed's first change.
    const before = known?.session.feed;
    if ((feed === 'live' && before !== 'live') || (feed === 'polling' && !watch.ready)) watch.refresh();
  }

  private watchTold(serverId: string): void {
    const watch = this.watched.get(serverId)?.watch;
    if (watch?.complete === true) this.snoozes.keepOnly(serverId, watch.items);
    this.update();
  }

  private poll(): void {
    const broken = [...this.watched.values()].filter(({ session }) => session.feed === 'polling');
    if (broken.length === 0) {
      this.stopPolling?.();
      this.stopPolling = undefined;
      return;
    }
    this.stopPolling ??= this.options.clock.after(POLL_MS, () => {
      this.stopPolling = undefined;
      for (const { session, watch } of this.watched.values()) if (session.feed === 'polling') watch.refresh();
      this.poll();
    });
  }

  private update(): void {
    const { level, isAttended, show, withdraw, onWaiting } = this.options;
    const { waiting, woken, first } = this;
    const quiet = this.quietUntil !== null;
    const announcing = this.announcer.update(waiting.items, {
      level: level(),
      quiet,
      attended: isAttended(),
      first,
      woken,
    });
    if (!quiet) {
      for (const item of waiting.items) woken.delete(keyOf(item));
      for (const [serverId, { watch }] of this.watched) if (watch.ready) first.delete(serverId);
    }
    for (const id of announcing.withdraw) withdraw(id);
    for (const announcement of announcing.show) show(announcement);
    onWaiting(waiting);
    this.setTimer();
  }

  private setTimer(): void {
    const { clock } = this.options;
    this.stopTimer?.();
    const ends = [this.snoozes.next, this.quietUntil ?? undefined].filter((end) => end !== undefined);
    if (ends.length === 0) return;
    this.stopTimer = clock.after(Math.min(LONGEST_TIMER_MS, Math.max(0, Math.min(...ends) - clock.now())), () =>
      this.look(),
    );
  }
}
