import type { Handlers } from '../ipc/serve-methods.js';
import type { DesktopPresence } from './desktop-presence.js';

/**
 * Creates the methods that the window calls for the tray, notifications and snoozes. None of them casts a vote or
 * returns the content of an approval.
 */
export function createPresenceHandlers(
  presence: DesktopPresence,
): Pick<Handlers, 'getPresence' | 'setPreferences' | 'setQuiet' | 'snooze' | 'wake'> {
  return {
    getPresence: () => presence.state,
    setPreferences: (preferences) => presence.setPreferences(preferences),
    setQuiet: ({ until }) => {
      presence.mute(until);
      return undefined;
    },
    snooze: (snoozed) => presence.snooze(snoozed),
    wake: (item) => {
      presence.wake(item);
      return undefined;
    },
  };
}
