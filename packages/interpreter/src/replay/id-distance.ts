const COUNTER_RANGE = 0x1000;

/**
 * Returns the difference of the counters in two ids of a run (see `createSequentialId`): positive if `otherId` is later
 * than `id`, negative if it is earlier. The range is up to 2,047, more than an agent uses between two recorded ids.
 */
export function computeIdDistance(id: string, otherId: string): number {
  const distance = (parseCounter(otherId) - parseCounter(id) + COUNTER_RANGE) % COUNTER_RANGE;
  return distance < COUNTER_RANGE / 2 ? distance : distance - COUNTER_RANGE;
}

function parseCounter(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}
