import { Notification } from 'electron';
import type { Announcement } from './announcer.js';
import { presenceTexts } from './presence-texts.js';

interface SystemNotificationsOptions {
  isSilent(): boolean;
  /** The person has clicked it: it opens, and does no more. */
  onOpen(announcement: Announcement): void;
  onSnooze(announcement: Announcement): void;
  /** It is not in sight any more. */
  onGone(id: number): void;
}

/** Notifications of the operating system. Electron has buttons in them on macOS and Windows; elsewhere a click opens. */
export class SystemNotifications {
  /** Those in sight: one that nothing holds is collected, and its clicks with it. */
  private readonly open = new Map<number, Notification>();

  constructor(private readonly options: SystemNotificationsOptions) {}

  show(announcement: Announcement): void {
    if (!Notification.isSupported()) return;
    const { id, items } = announcement;
    const notification = new Notification({
      title: presenceTexts.title(announcement),
      body: presenceTexts.body(announcement),
      silent: this.options.isSilent(),
      // Stays until somebody has seen it, where there are such ones.
      urgency: items[0]?.riskLevel === 'critical' ? 'critical' : 'normal',
      actions: [{ type: 'button', text: presenceTexts.snooze }],
    });
    const ends = (act?: (announcement: Announcement) => void) => (): void => {
      if (!this.open.delete(id)) return;
      this.options.onGone(id);
      act?.(announcement);
    };
    notification.on('click', ends(this.options.onOpen));
    notification.on('action', ends(this.options.onSnooze));
    notification.on('close', ends());
    notification.on('failed', ends());
    this.open.set(id, notification);
    notification.show();
  }

  /** Said once: closing the window did not end the application. */
  showStays(): void {
    if (Notification.isSupported()) new Notification({ title: presenceTexts.staysTitle, body: presenceTexts.staysBody, silent: true }).show();
  }

  /** Somebody else has decided, or it is of no use any more. */
  withdraw(id: number): void {
    const notification = this.open.get(id);
    this.open.delete(id);
    notification?.close();
  }
}
