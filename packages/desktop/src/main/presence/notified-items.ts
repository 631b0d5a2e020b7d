import type { PresenceFile } from './presence-file.js';
import { getKeyAtServer, type WaitingItemIdentity } from './waiting-item.js';

/**
 * Maximum number of recorded keys per server: more than the number of items that are tracked at the same time.
 */
const MAX_NOTIFIED = 5_000;

/**
 * Record of the rounds of approvals and the questions that a notification was shown for. Survives restarts, so that each
 * of them triggers only one notification.
 */
export class NotifiedItems {
  private readonly keysByServer = new Map<string, Set<string>>();

  constructor(private readonly file: PresenceFile) {
    for (const [serverId, { keys }] of Object.entries(file.value.told)) this.keysByServer.set(serverId, new Set(keys));
  }

  /**
   * @returns whether this device had no record for this user at this server, as when the inbox is loaded for the first
   * time
   */
  startTracking(serverId: string, subject: string): boolean {
    if (this.file.value.told[serverId]?.subject === subject) return false;
    this.keysByServer.set(serverId, new Set());
    this.save(serverId, subject);
    return true;
  }

  has(item: WaitingItemIdentity): boolean {
    return this.keysByServer.get(item.serverId)?.has(getKeyAtServer(item)) === true;
  }

  /**
   * Must be called before the notification is shown, so that a crash in between loses a notification instead of
   * repeating it.
   */
  add(items: readonly WaitingItemIdentity[]): void {
    const changedServerIds = new Set(items.map(({ serverId }) => serverId));
    for (const item of items) this.keysByServer.get(item.serverId)?.add(getKeyAtServer(item));
    for (const serverId of changedServerIds) this.save(serverId);
  }

  /** Removes an approval from the record, so that the user is notified again after its snooze has ended. */
  remove(item: WaitingItemIdentity): void {
    if (this.keysByServer.get(item.serverId)?.delete(getKeyAtServer(item)) === true) this.save(item.serverId);
  }

  forget(serverId: string): void {
    this.keysByServer.delete(serverId);
    this.file.update({
      told: Object.fromEntries(Object.entries(this.file.value.told).filter(([each]) => each !== serverId)),
    });
  }

  private save(serverId: string, subject = this.file.value.told[serverId]?.subject): void {
    const keys = this.keysByServer.get(serverId);
    if (keys === undefined || subject === undefined) return;
    for (const oldest of keys) {
      if (keys.size <= MAX_NOTIFIED) break;
      keys.delete(oldest);
    }
    this.file.update({ told: { ...this.file.value.told, [serverId]: { subject, keys: [...keys] } } });
  }
}
