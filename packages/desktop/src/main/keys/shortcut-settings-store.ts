import { shortcutSettingsSchema, type ShortcutSettings } from '../../common/shortcut-settings.js';
import { JsonFile } from '../app/json-file.js';

const DEFAULT_SHORTCUT_SETTINGS: ShortcutSettings = Object.freeze({ keys: {}, characters: true });

/** Stores the user's keyboard shortcuts. */
export class ShortcutSettingsStore {
  private readonly file: JsonFile<typeof shortcutSettingsSchema>;

  constructor(path: string) {
    this.file = new JsonFile(path, shortcutSettingsSchema);
  }

  /** Returns the stored settings, or the default settings if the file cannot be read. */
  get(): ShortcutSettings {
    return this.file.read() ?? DEFAULT_SHORTCUT_SETTINGS;
  }

  set(settings: ShortcutSettings): void {
    this.file.write(settings);
  }
}
