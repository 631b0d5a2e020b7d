import { preferencesSchema, type Preferences } from '../../common/presence.js';
import type { JsonFile } from '../app/json-file.js';

/**
 * Stored preferences. Only the operating system stores whether the application starts at login, because users change it
 * there too.
 */
export const preferencesFileSchema = preferencesSchema.omit({ startAtLogin: true });

type StoredPreferences = Omit<Preferences, 'startAtLogin'>;

const DEFAULT_PREFERENCES: StoredPreferences = {
  notifications: 'all',
  silent: false,
  shortcut: 'CommandOrControl+Shift+A',
  keepInTray: true,
};

export class PreferencesStore {
  private current: StoredPreferences;

  constructor(private readonly file: Pick<JsonFile<typeof preferencesFileSchema>, 'read' | 'write'>) {
    this.current = file.read() ?? DEFAULT_PREFERENCES;
  }

  get value(): StoredPreferences {
    return this.current;
  }

  set({ notifications, silent, shortcut, keepInTray }: StoredPreferences): void {
    this.current = { notifications, silent, shortcut, keepInTray };
    this.file.write(this.current);
  }
}
