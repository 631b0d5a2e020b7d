import { PresenceFile, type StoredPresence } from './presence-file.js';

/**
 * Creates a presence file in memory.
 *
 * @param storage content of the file; `update()` changes it
 */
export function createInMemoryPresenceFile(storage: { value?: StoredPresence } = {}): PresenceFile {
  return new PresenceFile({
    read: () => storage.value,
    write: (value) => void (storage.value = structuredClone(value)),
  });
}
