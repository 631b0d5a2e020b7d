import { z } from 'zod';
import { snoozeSchema } from '../../common/presence.js';
import type { JsonFile } from '../app/json-file.js';

const snoozedSchema = snoozeSchema.extend({
  serverId: z.uuid(),
  /** When it wakes at the latest, as it is due then; in ms since the epoch. */
  dueAt: z.number().nullable(),
});

/** What this device has to know again after a restart: what was told, put off, and for how long nothing is told. */
export const presenceFileSchema = z.object({
  /** By server: whose inbox it is, and which approvals they were told of (`approvalId round`), the newest last. */
  told: z.record(z.uuid(), z.object({ subject: z.string(), keys: z.array(z.string().max(100)) })),
  snoozed: z.array(snoozedSchema),
  quietUntil: z.number().nullable(),
  /** Whether the person was told that the application stays in the tray. */
  trayTold: z.boolean(),
});

export type KeptPresence = z.output<typeof presenceFileSchema>;
export type KeptSnooze = z.output<typeof snoozedSchema>;

const NOTHING: KeptPresence = { told: {}, snoozed: [], quietUntil: null, trayTold: false };

/** The file with what presence keeps, of which each part changes its own. */
export class PresenceFile {
  private kept: KeptPresence;

  constructor(private readonly file: Pick<JsonFile<typeof presenceFileSchema>, 'read' | 'write'>) {
    this.kept = file.read() ?? NOTHING;
  }

  get value(): KeptPresence {
    return this.kept;
  }

  change(part: Partial<KeptPresence>): void {
    this.kept = { ...this.kept, ...part };
    this.file.write(this.kept);
  }
}
