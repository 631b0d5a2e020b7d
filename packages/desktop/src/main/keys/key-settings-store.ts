import { keySettingsSchema, type KeySettings } from '../../common/key-settings.js';
import { JsonFile } from '../app/json-file.js';

const DEFAULT_KEY_SETTINGS: KeySettings = Object.freeze({ keys: {}, characters: true });

/** Stores the user's keyboard shortcuts. */
export class KeySettingsStore {
  private readonly file: JsonFile<typeof keySettingsSchema>;

  constructor(path: string) {
    this.file = new JsonFile(path, keySettingsSchema);
  }

  /** Returns the stored settings, or the default settings if the file cannot be read. */
  get(): KeySettings {
    return this.file.read() ?? DEFAULT_KEY_SETTINGS;
  }

  set(settings: KeySettings): void {
    this.file.write(settings);
  }
}
