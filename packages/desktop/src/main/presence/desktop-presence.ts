import { randomUUID } from 'node:crypto';
import { app, powerMonitor } from 'electron';
import type { Preferences, PresenceState, SnoozedApproval } from '../../common/presence.js';
import { JsonFile } from '../app/json-file.js';
import type { Desktop } from '../desktop.js';
import type { MainWindow } from '../window/main-window.js';
import type { Announcement } from './notification-planner.js';
import { AppTray } from './app-tray.js';
import { systemClock } from './clock.js';
import { OpenShortcut } from './open-shortcut.js';
import { PreferencesStore, preferencesFileSchema } from './preferences-store.js';
import { PresenceFile, presenceFileSchema } from './presence-file.js';
import { WaitingItemsMonitor } from './waiting-items-monitor.js';
import { NotificationReplyHandler } from './notification-reply-handler.js';
import { getSignedInSessions } from './get-signed-in-sessions.js';
import { BACKGROUND_SWITCH, createStartAtLogin } from './start-at-login.js';
import { SystemNotifications } from './system-notifications.js';
import { getEndTime, formatTimeOfDay } from './times.js';
import { checkTrayAvailability } from './tray-availability.js';
import { isQuestion, type WaitingItem } from './waiting-item.js';

/** Delays before repeated checks for a tray, which may start later than this application. */
const TRAY_RETRY_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000];

interface DesktopPresenceOptions {
  readonly desktop: Desktop;
  readonly window: MainWindow;
  /** Returns whether the signed-in user has chosen to sign every vote. */
  signsEveryVote(): boolean;
  /** Returns the path of a file of this application. */
  getDataPath(name: string): string;
}

/**
 * The client outside its window: tray, notifications, a shortcut, start at login, and snoozes. No vote is cast from
 * them, except that a reply to a notification can reject an approval.
 */
export class DesktopPresence {
  private readonly preferences: PreferencesStore;
  private readonly presenceFile: PresenceFile;
  private readonly monitor: WaitingItemsMonitor;
  private readonly notifications: SystemNotifications;
  private readonly tray: AppTray;
  private readonly shortcut: OpenShortcut;
  private readonly replies: NotificationReplyHandler;
  private readonly startAtLogin = createStartAtLogin();
  private quitting = false;
  private lastSentState = '';

  constructor(private readonly options: DesktopPresenceOptions) {
    const { desktop, window, getDataPath } = options;
    this.preferences = new PreferencesStore(new JsonFile(getDataPath('preferences.json'), preferencesFileSchema));
    this.presenceFile = new PresenceFile(new JsonFile(getDataPath('presence.json'), presenceFileSchema));
    this.notifications = new SystemNotifications({
      isSilent: () => this.preferences.value.silent,
      onOpen: (announcement) => this.openAnnouncement(announcement),
      onSnooze: (announcement) => this.snoozeAnnouncement(announcement),
      onReply: (item, text) => void this.replies.reply(item, text),
      onUndo: (item, reason) => this.replies.undo(item) && this.openItem(item, reason),
      onShowApproval: (item, reason) => this.openItem(item, reason),
      onClosed: (id) => this.monitor.onNotificationClosed(id),
    });
    this.monitor = new WaitingItemsMonitor({
      clock: systemClock,
      file: this.presenceFile,
      level: () => this.preferences.value.notifications,
      isInboxInView: () => window.isInView && desktop.signedInSession !== undefined,
      show: (announcement) => this.notifications.show(announcement),
      withdraw: (id) => this.notifications.withdraw(id),
      onUpdate: () => this.publishState(),
    });
    this.replies = new NotificationReplyHandler({
      clock: systemClock,
      getClient: (serverId) => getSignedInSessions(desktop).find((each) => each.serverId === serverId)?.client,
      signsEveryVote: () => options.signsEveryVote(),
      // On a locked machine, anyone at the screen could reply to a notification.
      isUnlocked: () => powerMonitor.getSystemIdleState(60) !== 'locked',
      newIdempotencyKey: () => randomUUID(),
      onUndoWindow: (item, reason) => this.notifications.showRejecting(item, reason),
      onRejected: (item) => this.notifications.showRejected(item),
      onNotRejected: (item, reason, failed) =>
        failed ? this.notifications.showNotRejected(item, reason) : this.openItem(item, reason),
    });
    this.shortcut = new OpenShortcut(() => window.show());
    this.tray = new AppTray(
      {
        open: () => window.show(),
        openItem: (item) => this.openItem(item),
        mute: (until) => this.monitor.mute(until === 'end' ? null : getEndTime(until, systemClock.now())),
        setStartAtLogin: (on) => {
          this.startAtLogin.set(on);
          this.publishState();
        },
        quit: () => app.quit(),
      },
      () => window.browserWindow,
    );
  }

  /** Starts tracking waiting items and shows the window, unless the application was started in the background. */
  start(): void {
    const { desktop, window } = this.options;
    // The id that installers register: Windows shows notifications only for registered applications.
    if (process.platform === 'win32') app.setAppUserModelId('app.countersign.desktop');
    app.on('before-quit', () => (this.quitting = true));
    app.on('will-quit', () => {
      this.replies.stop();
      this.monitor.stop();
    });
    powerMonitor.on('resume', () => this.monitor.check());
    powerMonitor.on('unlock-screen', () => this.monitor.check());
    desktop.onState(() => {
      const sessions = getSignedInSessions(desktop);
      if (sessions.length === 0) this.replies.stop();
      this.monitor.setSessions(sessions);
    });
    desktop.onChange((message) => {
      const { activeServerId } = desktop.state;
      if (activeServerId !== null) this.monitor.onChange(activeServerId, message);
    });
    this.shortcut.set(this.preferences.value.shortcut);
    this.monitor.check();
    const startsInBackground = process.argv.includes(BACKGROUND_SWITCH);
    if (!startsInBackground) window.show();
    // Without a tray icon, the user would not know that the application runs.
    void this.openTrayWhenAvailable().then(() => startsInBackground && !this.hidesOnClose() && window.show());
  }

  /** Returns whether closing the window keeps the application in the tray. */
  hidesOnClose(): boolean {
    return !this.quitting && this.preferences.value.keepInTray && this.tray.isOpen;
  }

  /** Called when the window was closed to the tray; notifies the user once. */
  onHidden(): void {
    if (this.presenceFile.value.trayTold) return;
    this.presenceFile.update({ trayTold: true });
    this.notifications.showStaysInTray();
  }

  /** Called when the page has prevented the window from closing, so the application does not quit. */
  onKeptOpen(): void {
    this.quitting = false;
  }

  /** Called when the user views the inbox. */
  onInboxViewed(): void {
    this.tray.updateBadge();
    if (this.options.desktop.signedInSession !== undefined) this.monitor.closeNotifications();
  }

  get state(): PresenceState {
    const { activeServerId } = this.options.desktop.state;
    return {
      preferences: { ...this.preferences.value, startAtLogin: this.startAtLogin.isOn() },
      shortcut: this.shortcut.status,
      tray: this.tray.isOpen,
      quietUntil: this.monitor.mutedUntil,
      snoozed: activeServerId === null ? [] : this.monitor.listSnoozed(activeServerId),
    };
  }

  setPreferences(preferences: Preferences): PresenceState {
    const { startAtLogin: shouldStartAtLogin, ...storedPreferences } = preferences;
    this.preferences.set(storedPreferences);
    if (shouldStartAtLogin !== this.startAtLogin.isOn()) this.startAtLogin.set(shouldStartAtLogin);
    this.shortcut.set(storedPreferences.shortcut);
    if (storedPreferences.notifications === 'off') this.monitor.closeNotifications();
    this.publishState();
    return this.state;
  }

  /** @returns whether the approval waits for this user and was snoozed */
  async snooze(snoozed: SnoozedApproval): Promise<boolean> {
    const { activeServerId } = this.options.desktop.state;
    return activeServerId !== null && (await this.monitor.snooze(activeServerId, snoozed));
  }

  wake(item: Omit<SnoozedApproval, 'until'>): void {
    const { activeServerId } = this.options.desktop.state;
    if (activeServerId !== null) this.monitor.wake(activeServerId, item);
  }

  forgetServer(serverId: string): void {
    this.monitor.forgetServer(serverId);
  }

  mute(until: number | null): void {
    this.monitor.mute(until);
  }

  /** @param reason text for the rejection form of an approval; nothing is sent until the user submits the form */
  private openItem(item: WaitingItem, reason?: string): void {
    const { desktop } = this.options;
    desktop.selectServer(item.serverId);
    if (isQuestion(item)) desktop.openLink({ questionId: item.questionId });
    else
      desktop.openLink({
        approvalId: item.approvalId,
        ...(reason === undefined || reason === '' ? {} : { rejectWith: reason }),
      });
  }

  private openAnnouncement({ kind, items }: Announcement): void {
    const [first] = items;
    if (first !== undefined && (kind === 'one' || items.length === 1)) this.openItem(first);
    else this.options.window.show();
  }

  private snoozeAnnouncement({ kind, items }: Announcement): void {
    const until = getEndTime('hour', systemClock.now());
    const [first] = items;
    if (kind === 'one' && first !== undefined && !isQuestion(first))
      void this.monitor.snooze(first.serverId, { approvalId: first.approvalId, round: first.round, until });
    else this.monitor.mute(until);
  }

  private async openTrayWhenAvailable(): Promise<void> {
    for (const ms of [0, ...TRAY_RETRY_MS]) {
      if (ms > 0) await new Promise<void>((resolve) => systemClock.schedule(ms, resolve));
      const availability = this.quitting ? 'never' : await checkTrayAvailability();
      if (availability === 'never') return;
      if (availability === 'not-yet') continue;
      this.tray.open();
      this.publishState();
      return;
    }
  }

  private publishState(): void {
    const { desktop, window } = this.options;
    const { state } = this;
    const { quietUntil } = state;
    const isSignedIn = getSignedInSessions(desktop).length > 0;
    this.tray.show({
      waiting: isSignedIn ? this.monitor.waiting : undefined,
      mutedUntil: quietUntil === null ? undefined : formatTimeOfDay(quietUntil, systemClock.now()),
      startsAtLogin: state.preferences.startAtLogin,
    });
    const serializedState = JSON.stringify(state);
    if (serializedState !== this.lastSentState) window.send('presence', state);
    this.lastSentState = serializedState;
  }
}
