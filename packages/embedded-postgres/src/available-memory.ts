import { totalmem } from 'node:os';

/** Returns the memory of this machine, or of the container if that has less, in bytes. */
export function availableMemory(): number {
  const machine = totalmem();
  // 0, or more than the machine has, if unconstrained.
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(machine, constrained) : machine;
}
