import type { SigningKey } from '@countersign/contract';
import { Notification } from 'electron';
import { toNotificationText } from '../presence/to-notification-text.js';

/** Visible notifications: without a reference, one is garbage-collected and its clicks are lost. */
const openNotifications = new Set<Notification>();

/**
 * Notifies the user through the operating system of a signing key that was set up elsewhere, even if the window is not
 * visible.
 */
export function showKeyNotification({ name, enrolment }: SigningKey, onOpen: () => void): void {
  if (!Notification.isSupported()) return;
  const device = toNotificationText(name, 60);
  const notification = new Notification({
    title:
      enrolment === null
        ? `“${device}” was registered to sign votes in your name`
        : `“${device}” can now sign votes in your name`,
    body: 'If you did not set up this signing key, revoke it and tell an administrator.',
    urgency: 'critical',
  });
  const release = (): void => void openNotifications.delete(notification);
  notification.on('click', () => {
    release();
    onOpen();
  });
  notification.on('close', release);
  notification.on('failed', release);
  openNotifications.add(notification);
  notification.show();
}
