import type { Knex } from 'knex';
import type { InboundEventFilter, InboundEventRecord, Page, PageRequest } from '@countersign/core/ports';
import { condition, type Condition } from '../queries/condition.js';
import { readPage, type PageQuery, type PinnedColumn } from '../queries/read-page.js';
import { toInboundEvent, type InboundEventRow } from './inbound-event-row.js';

const COLUMNS = Object.freeze([
  'event_id',
  'via',
  'source',
  'idempotency_key',
  'body_digest',
  'message_name',
  'correlation_key',
  'status',
  'code',
  'received',
  'received_at',
  'expires_at',
  'repeats',
  'last_repeat_at',
  '"from"',
  'trace_id',
]);

/** Lists inbound events, newest first, without payloads. */
export async function listInboundEvents(
  knex: Knex,
  filter: InboundEventFilter,
  page: PageRequest,
): Promise<Page<Omit<InboundEventRecord, 'payload'>>> {
  const { rows, nextCursor } = await readPage(knex, buildInboundEventQuery(filter), page);
  return {
    items: rows.map((row) => toInboundEvent({ ...(row as unknown as InboundEventRow), payload: null })),
    nextCursor,
  };
}

/**
 * Returns the page query for a filter. The most selective condition determines the index; the others are checked row by
 * row.
 */
export function buildInboundEventQuery({ messageName, source, status, via, repeated }: InboundEventFilter): PageQuery {
  const equalities = Object.entries({ message_name: messageName, status }).flatMap(([sql, value]): PinnedColumn[] =>
    value === undefined ? [] : [{ sql, type: 'text', value }],
  );
  const [leading, ...others] = equalities;
  const scanned: Condition[] = others.map(({ sql, value }) => condition(`${sql} = ?`, value));
  // These conditions are not selective, because there are few sources and entry points.
  if (source !== undefined) scanned.push(condition('source = ?', source));
  if (via !== undefined) scanned.push(condition('via = ?', via));
  const requestedFilter = { messageName, source, status, via, repeated };
  const leadingBranch =
    leading === undefined
      ? { pinned: [], predicate: repeated === true ? 'repeated' : undefined }
      : { pinned: [leading] };
  if (leading !== undefined && repeated === true) scanned.push(condition('repeated'));
  return {
    table: 'inbound_events',
    list: 'inbound events',
    filter: Object.fromEntries(
      Object.entries(requestedFilter).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    columns: COLUMNS,
    branches: [{ ...leadingBranch, scanned }],
    key: [{ sql: 'event_id', type: 'uuid' }],
    direction: 'desc',
  };
}
