import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const parseDate = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date | number;

/**
 * How the columns of this schema come out: times as milliseconds since the epoch, `bigint` as a number (sizes, revisions
 * and counts stay far below 2^53). Given to each connection; the driver's global parsers belong to the host application.
 */
export const COLUMN_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return (text: string) => Number(parseDate(text));
    return pg.types.getTypeParser(oid, 'text');
  }) as typeof pg.types.getTypeParser,
};
