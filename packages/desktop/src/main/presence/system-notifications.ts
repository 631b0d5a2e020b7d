import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Announcement } from './notification-planner.js';
import { toNotificationText } from './to-notification-text.js';
import { presenceTexts } from './presence-texts.js';
import { isQuestion, type WaitingApproval } from './waiting-item.js';

interface SystemNotificationsOptions {
  isSilent(): boolean;
  /**
   * Called when the user has clicked the notification; opens the item, or the window for a summary, and does nothing
   * else.
   */
  onOpen(announcement: Announcement): void;
  onSnooze(announcement: Announcement): void;
  /**
   * Called with the reason for a rejection that the user typed as a reply, if the operating system supports replies.
   */
  onReply(item: WaitingApproval, text: string): void;
  /** Called when the user undoes the reply. */
  onUndo(item: WaitingApproval, reason: string): void;
  /** Called when the user wants to see why the approval was not rejected. */
  onShowApproval(item: WaitingApproval, reason: string): void;
  /** Called when the notification is no longer visible. */
  onClosed(id: number): void;
}

/**
 * Notifications of the operating system. Electron supports buttons in them on macOS and Windows; on other systems, the
 * user can only click the notification.
 */
export class SystemNotifications {
  /** Visible notifications: without a reference, one is garbage-collected and its clicks are lost. */
  private readonly openNotifications = new Map<number, Notification>();
  private statusNotification: Notification | undefined;

  constructor(private readonly options: SystemNotificationsOptions) {}

  show(announcement: Announcement): void {
    if (!Notification.isSupported()) return;
    const { id, items, kind } = announcement;
    const [first] = items;
    // A question can only be opened: an answer needs its form, and an agent waits for it.
    const approval = first === undefined || isQuestion(first) ? undefined : first;
    const canSnooze = kind === 'summary' || approval !== undefined;
    const notification = new Notification({
      title: presenceTexts.title(announcement),
      body: presenceTexts.body(announcement),
      silent: this.options.isSilent(),
      // A critical notification stays until the user has seen it, if the platform supports that.
      urgency: approval?.riskLevel === 'critical' ? 'critical' : 'normal',
      ...(canSnooze ? { actions: [{ type: 'button', text: presenceTexts.snooze }] } : {}),
      ...(kind === 'one' && approval !== undefined
        ? { hasReply: true, replyPlaceholder: presenceTexts.replyHint }
        : {}),
    });
    const closeWith = (action?: (announcement: Announcement) => void) => (): void => {
      if (!this.openNotifications.delete(id)) return;
      this.options.onClosed(id);
      // Not every system closes a notification that was clicked. Closing a notification that is already closed or was
      // never shown causes a crash.
      if (action !== undefined) setImmediate(() => notification.close());
      action?.(announcement);
    };
    notification.on('click', closeWith(this.options.onOpen));
    notification.on('action', closeWith(this.options.onSnooze));
    // Before Electron 40, only the second argument has the text.
    notification.on('reply', (details: { readonly reply?: string }, reply?: string) =>
      closeWith(() => approval !== undefined && this.options.onReply(approval, details.reply ?? reply ?? ''))(),
    );
    notification.on('close', closeWith());
    notification.on('failed', closeWith());
    this.openNotifications.set(id, notification);
    notification.show();
  }

  /** Shows that the rejection will be sent in a few seconds. Any click on the notification undoes it. */
  showRejecting(item: WaitingApproval, reason: string): void {
    const notification = this.showStatus(
      presenceTexts.rejecting(item.title),
      presenceTexts.rejectingBody(toNotificationText(reason, 200)),
      { actions: [{ type: 'button', text: presenceTexts.undo }] },
    );
    const undo = (): void => this.options.onUndo(item, reason);
    notification?.on('action', undo);
    notification?.on('click', undo);
  }

  showRejected(item: WaitingApproval): void {
    this.showStatus(presenceTexts.rejected(item.title), presenceTexts.rejectedBody);
  }

  showNotRejected(item: WaitingApproval, reason: string): void {
    this.showStatus(presenceTexts.notRejected(item.title), presenceTexts.notRejectedBody)?.on('click', () =>
      this.options.onShowApproval(item, reason),
    );
  }

  /** Notifies the user that closing the window did not quit the application. */
  showStaysInTray(): void {
    this.showStatus(presenceTexts.staysTitle, presenceTexts.staysBody);
  }

  /** Shows a status notification, which replaces the previous one. */
  private showStatus(
    title: string,
    body: string,
    extraOptions: Partial<NotificationConstructorOptions> = {},
  ): Notification | undefined {
    if (!Notification.isSupported()) return undefined;
    this.statusNotification?.close();
    const notification = new Notification({ title, body, silent: true, ...extraOptions });
    const clearStatus = (): void => {
      if (this.statusNotification === notification) this.statusNotification = undefined;
    };
    notification.on('close', clearStatus);
    notification.on('failed', clearStatus);
    this.statusNotification = notification;
    notification.show();
    return notification;
  }

  /** Closes a notification whose items no longer wait or that is outdated. */
  withdraw(id: number): void {
    const notification = this.openNotifications.get(id);
    this.openNotifications.delete(id);
    notification?.close();
  }
}
