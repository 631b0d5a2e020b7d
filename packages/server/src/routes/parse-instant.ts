import { parseIsoDate } from '@countersign/model';

/** Parses a timestamp that the schema has validated, to ms since the epoch. */
export function parseInstant(timestamp: string): number {
  const instant = parseIsoDate(timestamp);
  if (instant === undefined) throw new Error(`a timestamp passed the schema but cannot be parsed: "${timestamp}"`);
  return instant;
}
