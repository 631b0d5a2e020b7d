const COUNTED = 0x1000;

/**
 * By how much the counter behind an id of a run is ahead of that behind another one (see `sequentialId`), or behind it: up to
 * 2,047, which is more than an agent takes between two that the history tells.
 */
export function idDistance(id: string, later: string): number {
  const ahead = (counted(later) - counted(id) + COUNTED) % COUNTED;
  return ahead < COUNTED / 2 ? ahead : ahead - COUNTED;
}

function counted(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}
