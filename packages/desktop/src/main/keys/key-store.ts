import { keySettingsSchema, type KeySettings } from '../../common/key-settings.js';
import { JsonFile } from '../app/json-file.js';

const USUAL: KeySettings = Object.freeze({ keys: {}, characters: true });

/** Keeps how a person has set the keys. */
export class KeyStore {
  private readonly file: JsonFile<typeof keySettingsSchema>;

  constructor(path: string) {
    this.file = new JsonFile(path, keySettingsSchema);
  }

  /** What cannot be read counts as never set. */
  get(): KeySettings {
    return this.file.read() ?? USUAL;
  }

  set(settings: KeySettings): void {
    this.file.write(settings);
  }
}
