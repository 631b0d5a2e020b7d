import { PresenceFile, type StoredPresence } from './presence-file.js';

/** Returns an in-memory file. @param storage content that an earlier start left; updated like the file */
export function fileInMemory(storage: { value?: StoredPresence } = {}): PresenceFile {
  return new PresenceFile({
    read: () => storage.value,
    write: (value) => void (storage.value = structuredClone(value)),
  });
}
