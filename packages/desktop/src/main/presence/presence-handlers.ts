import type { Handlers } from '../ipc/serve-methods.js';
import type { DesktopNotifications } from './desktop-presence.js';

/** What the window may do with tray, notifications and what is put off. None of it decides, or shows anything of an approval. */
export function presenceHandlers(
  presence: DesktopNotifications,
): Pick<Handlers, 'getPresence' | 'setPreferences' | 'setQuiet' | 'snooze' | 'wake'> {
  return {
    getPresence: () => presence.state,
    setPreferences: (preferences) => presence.setPreferences(preferences),
    setQuiet: ({ until }) => {
      presence.quiet(until);
      return undefined;
    },
    snooze: (snoozed) => presence.snooze(snoozed),
    wake: (item) => {
      presence.wake(item);
      return undefined;
    },
  };
}
