import { totalmem } from 'node:os';

/** The memory of this machine, or of the container where that may have less, in bytes. */
export function availableMemory(): number {
  const machine = totalmem();
  // 0, or more than there is, where nothing constrains it.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(machine, constrained) : machine;
}
