import { z } from 'zod';
import { snoozeSchema } from '../../common/presence.js';
import type { JsonFile } from '../app/json-file.js';

const snoozedSchema = snoozeSchema.extend({
  serverId: z.uuid(),
  /** Due date, at which the snooze ends at the latest; in ms since the epoch. */
  dueAt: z.number().nullable(),
});

/** State of this device that survives restarts: shown notifications, snoozes, and the end of muting. */
export const presenceFileSchema = z.object({
  /**
   * By server id: the user, and what the user was notified of, newest last (`approvalId round` or the id of a question).
   */
  told: z.record(z.uuid(), z.object({ subject: z.string(), keys: z.array(z.string().max(100)) })),
  snoozed: z.array(snoozedSchema),
  quietUntil: z.number().nullable(),
  /** Whether the user was notified that the application stays in the tray. */
  trayTold: z.boolean(),
});

export type StoredPresence = z.output<typeof presenceFileSchema>;
export type StoredSnooze = z.output<typeof snoozedSchema>;

const EMPTY_PRESENCE: StoredPresence = { told: {}, snoozed: [], quietUntil: null, trayTold: false };

/** The presence file. `update` changes only the given properties. */
export class PresenceFile {
  private current: StoredPresence;

  constructor(private readonly file: Pick<JsonFile<typeof presenceFileSchema>, 'read' | 'write'>) {
    this.current = file.read() ?? EMPTY_PRESENCE;
  }

  get value(): StoredPresence {
    return this.current;
  }

  update(changes: Partial<StoredPresence>): void {
    this.current = { ...this.current, ...changes };
    this.file.write(this.current);
  }
}
