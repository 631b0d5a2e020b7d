const COUNTED = 0x1000;

/**
 * Returns by how much the counter in the id `later` of a run is ahead of the one in `id` (see `sequentialId`), negative
 * if behind. The range is up to 2,047, more than an agent uses between two recorded ids.
 */
export function idDistance(id: string, later: string): number {
  const ahead = (counted(later) - counted(id) + COUNTED) % COUNTED;
  return ahead < COUNTED / 2 ? ahead : ahead - COUNTED;
}

function counted(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}
