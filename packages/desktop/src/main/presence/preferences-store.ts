import { preferencesSchema, type Preferences } from '../../common/presence.js';
import type { JsonFile } from '../app/json-file.js';

/** What is kept in the file. Whether it starts at login is known by the operating system alone, where people change it too. */
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
