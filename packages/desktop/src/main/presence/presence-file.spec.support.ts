import { PresenceFile, type KeptPresence } from './presence-file.js';

/** A file in memory. @param kept what an application before has left; changed as the file would be */
export function fileInMemory(kept: { value?: KeptPresence } = {}): PresenceFile {
  return new PresenceFile({ read: () => kept.value, write: (value) => void (kept.value = structuredClone(value)) });
}
