import { totalmem } from 'node:os';

/** Returns the memory of this machine, or of the container if that has less, in bytes. */
export function getAvailableMemory(): number {
  const totalMemory = totalmem();
  // 0, or more than the memory of the machine, if there is no limit.
  const constrainedMemory = process.constrainedMemory();
  return constrainedMemory > 0 ? Math.min(totalMemory, constrainedMemory) : totalMemory;
}
