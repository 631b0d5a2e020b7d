import { idSchema } from '@countersign/contract';
import { z } from 'zod';

/**
 * Shortcut that opens the window from anywhere, in Electron's notation. It needs at least two modifiers, so that a
 * compromised window cannot register a key that other applications need for typing.
 */
const shortcutSchema = z
  .string()
  .regex(
    /^(?:CommandOrControl\+Alt\+Shift|CommandOrControl\+Alt|CommandOrControl\+Shift|Alt\+Shift)\+(?:[A-Z0-9]|F(?:[1-9]|1[0-2]))$/,
  );

/** Items that trigger a notification: all, only approvals with high or critical risk, or none. */
export const NOTIFICATION_LEVELS = Object.freeze(['all', 'high', 'off'] as const);
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** The user's preferences on this device. */
export const preferencesSchema = z.strictObject({
  notifications: z.enum(NOTIFICATION_LEVELS),
  /** Whether notifications make no sound. */
  silent: z.boolean(),
  /** `null`: no shortcut. */
  shortcut: shortcutSchema.nullable(),
  /** Whether closing the window leaves the application running in the tray. */
  keepInTray: z.boolean(),
  startAtLogin: z.boolean(),
});

export type Preferences = z.output<typeof preferencesSchema>;

/** Maximum snooze time, in ms. */
export const MAX_SNOOZE_MS = 31 * 24 * 60 * 60_000;

const until = z.int().min(0).max(8_640_000_000_000_000);

export const snoozeSchema = z.strictObject({ approvalId: idSchema, round: z.int().min(1), until });
export const wakeSchema = snoozeSchema.omit({ until: true });
export const muteSchema = z.strictObject({ until: until.nullable() });

/** An approval that was snoozed on this device. `until`: in ms since the epoch. */
export type SnoozedApproval = z.output<typeof snoozeSchema>;

/** State of tray, notifications and snoozes for the window. */
export interface PresenceState {
  readonly preferences: Preferences;
  /** `taken`: another application uses these keys. */
  readonly shortcut: 'off' | 'registered' | 'taken';
  /** Whether the application has a tray icon now. Without one, closing the window quits the application. */
  readonly tray: boolean;
  /** Time until which notifications are muted, in ms since the epoch; `null` if they are not muted. */
  readonly quietUntil: number | null;
  /** Snoozed approvals at the active server. */
  readonly snoozed: readonly SnoozedApproval[];
}
