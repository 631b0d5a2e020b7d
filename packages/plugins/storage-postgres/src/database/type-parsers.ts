import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const parseDate = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;

const UTC = '+00';
const HYPHEN = 45;
const SPACE = 32;

/**
 * A `timestamptz` in milliseconds since the epoch. In UTC, as the embedded database gives it, the text is nearly an ISO one,
 * which ECMAScript reads several times as fast as the driver's parser does; whatever looks otherwise is left to that.
 */
function timeOf(text: string): number {
  const isPlain = text.endsWith(UTC) && text.charCodeAt(4) === HYPHEN && text.charCodeAt(10) === SPACE;
  return isPlain ? Date.parse(`${text.slice(0, 10)}T${text.slice(11, -UTC.length)}Z`) : Number(parseDate(text));
}

/**
 * How the columns of this schema come out: times as milliseconds since the epoch, `bigint` as a number (sizes, revisions
 * and counts stay far below 2^53). Given to each connection; the driver's global parsers belong to the host application.
 */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return timeOf;
    return pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};
