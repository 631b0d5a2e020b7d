import { Notification, type NotificationConstructorOptions } from 'electron';
import type { Announcement } from './announcer.js';
import { notificationText } from './notification-text.js';
import { presenceTexts } from './presence-texts.js';
import type { WaitingItem } from './waiting-item.js';

interface SystemNotificationsOptions {
  isSilent(): boolean;
  /** The person has clicked it: it opens, and does no more. */
  onOpen(announcement: Announcement): void;
  onSnooze(announcement: Announcement): void;
  /** The person has written into it, where the operating system lets them: a reason to reject. */
  onReply(item: WaitingItem, text: string): void;
  /** They have taken back what they wrote. */
  onUndo(item: WaitingItem, reason: string): void;
  /** They want to see why it was not rejected. */
  onLook(item: WaitingItem, reason: string): void;
  /** It is not in sight any more. */
  onGone(id: number): void;
}

/** Notifications of the operating system. Electron has buttons in them on macOS and Windows; elsewhere a click opens. */
export class SystemNotifications {
  /** Those in sight: one that nothing holds is collected, and its clicks with it. */
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
      // Stays until somebody has seen it, where there are such ones.
      urgency: first?.riskLevel === 'critical' ? 'critical' : 'normal',
      actions: [{ type: 'button', text: presenceTexts.snooze }],
      ...(kind === 'one' ? { hasReply: true, replyPlaceholder: presenceTexts.replyHint } : {}),
    });
    const ends = (act?: (announcement: Announcement) => void) => (): void => {
      if (!this.open.delete(id)) return;
      this.options.onGone(id);
      // Not every system takes one away that was acted on. One that is gone, or was never shown, must not be closed: it crashes.
      if (act !== undefined) setImmediate(() => notification.close());
      act?.(announcement);
    };
    notification.on('click', ends(this.options.onOpen));
    notification.on('action', ends(this.options.onSnooze));
    // Before Electron 40 the text is the second argument alone.
    notification.on('reply', (details: { readonly reply?: string }, reply?: string) =>
      ends(() => first !== undefined && this.options.onReply(first, details.reply ?? reply ?? ''))(),
    );
    notification.on('close', ends());
    notification.on('failed', ends());
    this.open.set(id, notification);
    notification.show();
  }

  /** What was written is sent in some seconds. However it is answered, it is taken back. */
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

  /** Said once: closing the window did not end the application. */
  showStays(): void {
    this.say(presenceTexts.staysTitle, presenceTexts.staysBody);
  }

  /** The last of what is said in between: in the place of the one before. */
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

  /** Somebody else has decided, or it is of no use any more. */
  withdraw(id: number): void {
    const notification = this.open.get(id);
    this.open.delete(id);
    notification?.close();
  }
}
