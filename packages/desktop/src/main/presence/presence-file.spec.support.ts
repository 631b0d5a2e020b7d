import { PresenceFile, type KeptPresence } from './presence-file.js';

/** Returns an in-memory file. @param kept content that an earlier start left; updated like the file */
export function fileInMemory(kept: { value?: KeptPresence } = {}): PresenceFile {
  return new PresenceFile({ read: () => kept.value, write: (value) => void (kept.value = structuredClone(value)) });
}
