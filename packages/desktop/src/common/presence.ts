import { idSchema } from '@countersign/contract';
import { z } from 'zod';

/**
 * Keys that open the window from anywhere, as Electron writes them. At least two that are held, so that no window can take a
 * key away from other applications that people type with.
 */
const shortcutSchema = z
  .string()
  .regex(
    /^(?:CommandOrControl\+Alt\+Shift|CommandOrControl\+Alt|CommandOrControl\+Shift|Alt\+Shift)\+(?:[A-Z0-9]|F(?:[1-9]|1[0-2]))$/,
  );

/** Which approvals are told of by a notification. */
export const NOTIFICATION_LEVELS = Object.freeze(['all', 'high', 'off'] as const);
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** What somebody has chosen on this device. */
export const preferencesSchema = z.strictObject({
  notifications: z.enum(NOTIFICATION_LEVELS),
  /** Notifications without a sound. */
  silent: z.boolean(),
  /** `null`: no shortcut. */
  shortcut: shortcutSchema.nullable(),
  /** Whether closing the window leaves the application running in the tray. */
  keepInTray: z.boolean(),
  startAtLogin: z.boolean(),
});

export type Preferences = z.output<typeof preferencesSchema>;

/** The longest that something is put off, in ms. */
export const LONGEST_SNOOZE_MS = 31 * 24 * 60 * 60_000;

const until = z.int().min(0).max(8_640_000_000_000_000);

export const snoozeSchema = z.strictObject({ approvalId: idSchema, round: z.int().min(1), until });
export const wakeSchema = snoozeSchema.omit({ until: true });
export const quietSchema = z.strictObject({ until: until.nullable() });

/** An approval that was put off on this device. `until`: in ms since the epoch. */
export type Snoozed = z.output<typeof snoozeSchema>;

/** What the window has to know of tray, notifications and what was put off. */
export interface PresenceState {
  readonly preferences: Preferences;
  /** `taken`: another application has these keys. */
  readonly shortcut: 'off' | 'registered' | 'taken';
  /** Whether this desktop has a place for the icon. Where it has none, closing the window quits. */
  readonly tray: boolean;
  /** No notification before that, in ms since the epoch. */
  readonly quietUntil: number | null;
  /** At the server that is shown. */
  readonly snoozed: readonly Snoozed[];
}
