import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const parseDate = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;

const UTC = '+00';
const HYPHEN = 45;
const SPACE = 32;

/**
 * Returns a `timestamptz` in ms since the epoch. In UTC, the text is nearly ISO 8601, which ECMAScript parses several
 * times as fast as the parser of the driver; that parser handles all other formats.
 */
function parseTimestamp(text: string): number {
  const isIsoUtc = text.endsWith(UTC) && text.charCodeAt(4) === HYPHEN && text.charCodeAt(10) === SPACE;
  return isIsoUtc ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`) : Number(parseDate(text));
}

/**
 * Types of the columns of this schema: times as ms since the epoch, `bigint` as a number (sizes, revisions and counts
 * stay far below 2^53). Set per connection, because the global parsers of the driver belong to the host application.
 */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return parseTimestamp;
    return pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};
