const COUNTER_RANGE = 0x1000;

/**
 * Returns by how much the counter in the id `otherId` of a run is ahead of the one in `id` (see `sequentialId`), negative
 * if behind. The range is up to 2,047, more than an agent uses between two recorded ids.
 */
export function idDistance(id: string, otherId: string): number {
  const distance = (parseCounter(otherId) - parseCounter(id) + COUNTER_RANGE) % COUNTER_RANGE;
  return distance < COUNTER_RANGE / 2 ? distance : distance - COUNTER_RANGE;
}

function parseCounter(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}
