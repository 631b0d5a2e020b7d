import { randomUUID } from 'node:crypto';
import { app, powerMonitor } from 'electron';
import type { Preferences, PresenceState, Snoozed } from '../../common/presence.js';
import { JsonFile } from '../app/json-file.js';
import type { Desktop } from '../desktop.js';
import type { MainWindow } from '../window/main-window.js';
import type { Announcement } from './announcer.js';
import { AppTray } from './app-tray.js';
import { systemClock } from './clock.js';
import { OpenShortcut } from './open-shortcut.js';
import { PreferencesStore, preferencesFileSchema } from './preferences-store.js';
import { PresenceFile, presenceFileSchema } from './presence-file.js';
import { PendingApprovalsMonitor } from './presence.js';
import { ReplyReject } from './reply-reject.js';
import { sessionsOf } from './sessions-of.js';
import { BACKGROUND_SWITCH, startAtLogin } from './start-at-login.js';
import { SystemNotifications } from './system-notifications.js';
import { muteEndsAt, timeOf } from './times.js';
import { trayHost } from './tray-host.js';
import type { WaitingItem } from './waiting-item.js';

/** The tray of a desktop that has just started may appear later than this application. */
const TRAY_AGAIN_MS: readonly number[] = [1_000, 2_000, 5_000, 10_000];

interface DesktopPresenceOptions {
  readonly desktop: Desktop;
  readonly window: MainWindow;
  /** Whether the signed-in user wants every vote signed. */
  signsEvery(): boolean;
  /** Returns the path of a file of this application. */
  data(name: string): string;
}

/**
 * Presence of the client outside its window: tray, notifications, a shortcut, start at login, and snoozes. All of these
 * only open approvals; none decides.
 */
export class DesktopNotifications {
  private readonly preferences: PreferencesStore;
  private readonly file: PresenceFile;
  private readonly presence: PendingApprovalsMonitor;
  private readonly notifications: SystemNotifications;
  private readonly tray: AppTray;
  private readonly shortcut: OpenShortcut;
  private readonly replies: ReplyReject;
  private readonly login = startAtLogin();
  private quitting = false;
  private sentToWindow = '';

  constructor(private readonly options: DesktopPresenceOptions) {
    const { desktop, window, data } = options;
    this.preferences = new PreferencesStore(new JsonFile(data('preferences.json'), preferencesFileSchema));
    this.file = new PresenceFile(new JsonFile(data('presence.json'), presenceFileSchema));
    this.notifications = new SystemNotifications({
      isSilent: () => this.preferences.value.silent,
      onOpen: (announcement) => this.openAnnounced(announcement),
      onSnooze: (announcement) => this.snoozeAnnounced(announcement),
      onReply: (item, text) => void this.replies.reply(item, text),
      onUndo: (item, reason) => this.replies.takeBack(item) && this.openItem(item, reason),
      onLook: (item, reason) => this.openItem(item, reason),
      onGone: (id) => this.presence.gone(id),
    });
    this.presence = new PendingApprovalsMonitor({
      clock: systemClock,
      file: this.file,
      level: () => this.preferences.value.notifications,
      isAttended: () => window.isAttended && desktop.signedIn !== undefined,
      show: (announcement) => this.notifications.show(announcement),
      withdraw: (id) => this.notifications.withdraw(id),
      onWaiting: () => this.tell(),
    });
    this.replies = new ReplyReject({
      clock: systemClock,
      clientOf: (serverId) => sessionsOf(desktop).find((each) => each.serverId === serverId)?.client,
      signsEvery: () => options.signsEvery(),
      // On a locked machine, anyone at the screen could reply to a notification.
      isUnlocked: () => powerMonitor.getSystemIdleState(60) !== 'locked',
      newIdempotencyKey: () => randomUUID(),
      onGrace: (item, reason) => this.notifications.showRejecting(item, reason),
      onRejected: (item) => this.notifications.showRejected(item),
      onOpen: (item, reason, failed) =>
        failed ? this.notifications.showNotRejected(item, reason) : this.openItem(item, reason),
    });
    this.shortcut = new OpenShortcut(() => window.show());
    this.tray = new AppTray(
      {
        open: () => window.show(),
        openItem: (item) => this.openItem(item),
        quiet: (until) => this.presence.quiet(until === 'end' ? null : muteEndsAt(until, systemClock.now())),
        setStartAtLogin: (on) => {
          this.login.set(on);
          this.tell();
        },
        quit: () => app.quit(),
      },
      () => window.browserWindow,
    );
  }

  /** Starts watching and shows the window, unless the application was started in the background. */
  start(): void {
    const { desktop, window } = this.options;
    // The id that installers register: Windows shows notifications only for registered applications.
    if (process.platform === 'win32') app.setAppUserModelId('app.countersign.desktop');
    app.on('before-quit', () => (this.quitting = true));
    app.on('will-quit', () => {
      this.replies.stop();
      this.presence.stop();
    });
    powerMonitor.on('resume', () => this.presence.look());
    powerMonitor.on('unlock-screen', () => this.presence.look());
    desktop.onState(() => {
      const sessions = sessionsOf(desktop);
      if (sessions.length === 0) this.replies.stop();
      this.presence.sessions(sessions);
    });
    desktop.onChange((message) => {
      const { activeServerId } = desktop.state;
      if (activeServerId !== null) this.presence.changed(activeServerId, message);
    });
    this.shortcut.set(this.preferences.value.shortcut);
    this.presence.look();
    const inBackground = process.argv.includes(BACKGROUND_SWITCH);
    if (!inBackground) window.show();
    // Without a tray icon, the user would not know that the application runs.
    void this.findTray().then(() => inBackground && !this.hidesOnClose() && window.show());
  }

  /** Returns whether closing the window keeps the application in the tray. */
  hidesOnClose(): boolean {
    return !this.quitting && this.preferences.value.keepInTray && this.tray.isThere;
  }

  /** Called when the window was closed to the tray; notifies the user once. */
  hidden(): void {
    if (this.file.value.trayTold) return;
    this.file.change({ trayTold: true });
    this.notifications.showStays();
  }

  /** Called when the window was kept open: the application does not quit. */
  stayed(): void {
    this.quitting = false;
  }

  /** Called when the user views the inbox. */
  attended(): void {
    this.tray.markWindow();
    if (this.options.desktop.signedIn !== undefined) this.presence.clear();
  }

  get state(): PresenceState {
    const { activeServerId } = this.options.desktop.state;
    return {
      preferences: { ...this.preferences.value, startAtLogin: this.login.isOn() },
      shortcut: this.shortcut.status,
      tray: this.tray.isThere,
      quietUntil: this.presence.quietUntil,
      snoozed: activeServerId === null ? [] : this.presence.snoozed(activeServerId),
    };
  }

  setPreferences(preferences: Preferences): PresenceState {
    const { startAtLogin: starts, ...kept } = preferences;
    this.preferences.set(kept);
    if (starts !== this.login.isOn()) this.login.set(starts);
    this.shortcut.set(kept.shortcut);
    if (kept.notifications === 'off') this.presence.clear();
    this.tell();
    return this.state;
  }

  /** @returns whether the approval waits for this user and was snoozed */
  async snooze(snoozed: Snoozed): Promise<boolean> {
    const { activeServerId } = this.options.desktop.state;
    return activeServerId !== null && (await this.presence.snooze(activeServerId, snoozed));
  }

  wake(item: Omit<Snoozed, 'until'>): void {
    const { activeServerId } = this.options.desktop.state;
    if (activeServerId !== null) this.presence.wake(activeServerId, item);
  }

  forgetServer(serverId: string): void {
    this.presence.forgetServer(serverId);
  }

  quiet(until: number | null): void {
    this.presence.quiet(until);
  }

  /** @param reason text for the rejection form, which the user may send or not */
  private openItem({ serverId, approvalId }: WaitingItem, reason?: string): void {
    const { desktop } = this.options;
    desktop.selectServer(serverId);
    desktop.openLink({ approvalId, ...(reason === undefined || reason === '' ? {} : { rejectWith: reason }) });
  }

  private openAnnounced({ kind, items }: Announcement): void {
    const [first] = items;
    if (first !== undefined && (kind === 'one' || items.length === 1)) this.openItem(first);
    else this.options.window.show();
  }

  private snoozeAnnounced({ kind, items }: Announcement): void {
    const until = muteEndsAt('hour', systemClock.now());
    const [first] = items;
    if (kind === 'one' && first !== undefined)
      void this.presence.snooze(first.serverId, { approvalId: first.approvalId, round: first.round, until });
    else this.presence.quiet(until);
  }

  private async findTray(): Promise<void> {
    for (const ms of [0, ...TRAY_AGAIN_MS]) {
      if (ms > 0) await new Promise<void>((resolve) => systemClock.after(ms, resolve));
      const host = this.quitting ? 'never' : await trayHost();
      if (host === 'never') return;
      if (host === 'not-yet') continue;
      this.tray.open();
      this.tell();
      return;
    }
  }

  private tell(): void {
    const { desktop, window } = this.options;
    const { state } = this;
    const { quietUntil } = state;
    const isSignedIn = sessionsOf(desktop).length > 0;
    this.tray.show({
      waiting: isSignedIn ? this.presence.waiting : undefined,
      quietUntil: quietUntil === null ? undefined : timeOf(quietUntil, systemClock.now()),
      startsAtLogin: state.preferences.startAtLogin,
    });
    const sent = JSON.stringify(state);
    if (sent !== this.sentToWindow) window.tell('presence', state);
    this.sentToWindow = sent;
  }
}
