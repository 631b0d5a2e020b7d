import { keySettingsSchema, type KeySettings } from '../../common/key-settings.js';
import { JsonFile } from '../app/json-file.js';

const DEFAULT_KEY_SETTINGS: KeySettings = Object.freeze({ keys: {}, characters: true });

/** Stores the user's key settings. */
export class KeyStore {
  private readonly file: JsonFile<typeof keySettingsSchema>;

  constructor(path: string) {
    this.file = new JsonFile(path, keySettingsSchema);
  }

  /** An unreadable file counts as no settings. */
  get(): KeySettings {
    return this.file.read() ?? DEFAULT_KEY_SETTINGS;
  }

  set(settings: KeySettings): void {
    this.file.write(settings);
  }
}
