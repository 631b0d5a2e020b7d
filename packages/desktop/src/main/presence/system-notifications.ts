import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Announcement } from './announcer.js';
import { notificationText } from './notification-text.js';
import { presenceTexts } from './presence-texts.js';
import type { WaitingItem } from './waiting-item.js';

interface SystemNotificationsOptions {
  isSilent(): boolean;
  /** Called when the user has clicked the notification; opens the approval and does nothing else. */
  onOpen(announcement: Announcement): void;
  onSnooze(announcement: Announcement): void;
  /**
   * Called with the reject reason that the user wrote into the notification, if the operating system supports replies.
   */
  onReply(item: WaitingItem, text: string): void;
  /** Called when the user undoes the reply. */
  onUndo(item: WaitingItem, reason: string): void;
  /** Called when the user wants to see why the approval was not rejected. */
  onLook(item: WaitingItem, reason: string): void;
  /** Called when the notification is no longer visible. */
  onGone(id: number): void;
}

/**
 * Notifications of the operating system. Electron supports buttons in them on macOS and Windows; elsewhere a click
 * opens.
 */
export class SystemNotifications {
  /** Visible notifications: without a reference, one is garbage-collected and its clicks are lost. */
  private readonly open = new Map<number, Notification>();
  private said: Notification | undefined;

  constructor(private readonly options: SystemNotificationsOptions) {}

  show(announcement: Announcement): void {
    if (!Notification.isSupported()) return;
    const { id, items, kind } = announcement;
    const [first] = items;
    const notification = new Notification({
      title: presenceTexts.title(announcement),
      body: presenceTexts.body(announcement),
      silent: this.options.isSilent(),
      // Stays until the user has seen it, if the platform supports that.
      urgency: first?.riskLevel === 'critical' ? 'critical' : 'normal',
      actions: [{ type: 'button', text: presenceTexts.snooze }],
      ...(kind === 'one' ? { hasReply: true, replyPlaceholder: presenceTexts.replyHint } : {}),
    });
    const ends = (act?: (announcement: Announcement) => void) => (): void => {
      if (!this.open.delete(id)) return;
      this.options.onGone(id);
      // Not every system closes a notification that was clicked. Closing one that is gone or was never shown crashes.
      if (act !== undefined) setImmediate(() => notification.close());
      act?.(announcement);
    };
    notification.on('click', ends(this.options.onOpen));
    notification.on('action', ends(this.options.onSnooze));
    // Before Electron 40, only the second argument has the text.
    notification.on('reply', (details: { readonly reply?: string }, reply?: string) =>
      ends(() => first !== undefined && this.options.onReply(first, details.reply ?? reply ?? ''))(),
    );
    notification.on('close', ends());
    notification.on('failed', ends());
    this.open.set(id, notification);
    notification.show();
  }

  /** Announces that the reply will be sent in some seconds. Any click on the notification undoes it. */
  showRejecting(item: WaitingItem, reason: string): void {
    const notification = this.say(
      presenceTexts.rejecting(item.title),
      presenceTexts.rejectingBody(notificationText(reason, 200)),
      { actions: [{ type: 'button', text: presenceTexts.undo }] },
    );
    const undo = (): void => this.options.onUndo(item, reason);
    notification?.on('action', undo);
    notification?.on('click', undo);
  }

  showRejected(item: WaitingItem): void {
    this.say(presenceTexts.rejected(item.title), presenceTexts.rejectedBody);
  }

  showNotRejected(item: WaitingItem, reason: string): void {
    this.say(presenceTexts.notRejected(item.title), presenceTexts.notRejectedBody)?.on('click', () =>
      this.options.onLook(item, reason),
    );
  }

  /** Notifies once that closing the window did not end the application. */
  showStays(): void {
    this.say(presenceTexts.staysTitle, presenceTexts.staysBody);
  }

  /** Shows a status notification, which replaces the previous one. */
  private say(
    title: string,
    body: string,
    more: Partial<NotificationConstructorOptions> = {},
  ): Notification | undefined {
    if (!Notification.isSupported()) return undefined;
    this.said?.close();
    const said = new Notification({ title, body, silent: true, ...more });
    const gone = (): void => {
      if (this.said === said) this.said = undefined;
    };
    said.on('close', gone);
    said.on('failed', gone);
    this.said = said;
    said.show();
    return said;
  }

  /** Closes a notification whose approval was decided elsewhere or that is outdated. */
  withdraw(id: number): void {
    const notification = this.open.get(id);
    this.open.delete(id);
    notification?.close();
  }
}
