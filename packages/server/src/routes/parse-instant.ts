import { parseIsoDate } from '@countersign/model';

/** Parses a timestamp that the schema has validated, to ms since the epoch. */
export function parseInstant(text: string): number {
  const instant = parseIsoDate(text);
  if (instant === undefined) throw new Error(`a timestamp passed the schema but cannot be parsed: "${text}"`);
  return instant;
}
