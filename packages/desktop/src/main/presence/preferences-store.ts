import { preferencesSchema, type Preferences } from '../../common/presence.js';
import type { JsonFile } from '../app/json-file.js';

/**
 * Stored preferences. Only the operating system stores whether the application starts at login, because users change it
 * there too.
 */
export const preferencesFileSchema = preferencesSchema.omit({ startAtLogin: true });

type Kept = Omit<Preferences, 'startAtLogin'>;

const USUAL: Kept = { notifications: 'all', silent: false, shortcut: 'CommandOrControl+Shift+A', keepInTray: true };

export class PreferencesStore {
  private kept: Kept;

  constructor(private readonly file: Pick<JsonFile<typeof preferencesFileSchema>, 'read' | 'write'>) {
    this.kept = file.read() ?? USUAL;
  }

  get value(): Kept {
    return this.kept;
  }

  set({ notifications, silent, shortcut, keepInTray }: Kept): void {
    this.kept = { notifications, silent, shortcut, keepInTray };
    this.file.write(this.kept);
  }
}
