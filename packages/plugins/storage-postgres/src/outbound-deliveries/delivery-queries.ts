import type { Knex } from 'knex';
import type {
  OutboundDeliveryFilter,
  OutboundDeliveryRecord,
  Page,
  PageRequest,
  FailingEndpoint,
} from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';
import { condition, type Condition } from '../queries/condition.js';
import { readPage, type PinnedColumn } from '../queries/read-page.js';
import { isStorableId } from '../queries/storable.js';
import { DELIVERY_COLUMNS, toDelivery, IS_HELD } from './delivery-row.js';

/**
 * Lists outbound deliveries, newest first. The most selective condition determines the index; the others are checked
 * row by row.
 */
export async function listDeliveries(
  knex: Knex,
  filter: OutboundDeliveryFilter,
  page: PageRequest,
): Promise<Page<OutboundDeliveryRecord>> {
  const { runId, endpointId, status } = filter;
  if (runId !== undefined && !isStorableId(runId)) return { items: [], nextCursor: null };
  const [leading, ...rest] = [
    ...(runId === undefined ? [] : [{ sql: 'run_id', type: 'uuid', value: runId } as const]),
    ...(endpointId === undefined ? [] : [{ sql: 'endpoint_id', type: 'text', value: endpointId } as const]),
    ...(status === undefined ? [] : [{ sql: 'status', type: 'text', value: status } as const]),
  ];
  const { rows, nextCursor } = await readPage(
    knex,
    {
      table: 'outbound_deliveries',
      list: 'outbound-deliveries',
      filter: { ...filter },
      columns: DELIVERY_COLUMNS,
      key: [
        { sql: 'accepted_at', type: 'timestamptz' },
        { sql: 'delivery_id', type: 'uuid' },
      ],
      direction: 'desc',
      branches: [{ pinned: leading === undefined ? [] : [leading], scanned: rest.map(toEqualityCondition) }],
      extra: {
        column: `${IS_HELD.replaceAll('d.', 'outbound_deliveries.')} AS held`,
        join: 'LEFT JOIN troubled_endpoints t ON t.endpoint_id = outbound_deliveries.endpoint_id',
      },
    },
    page,
  );
  return { items: rows.map(toDelivery), nextCursor };
}

function toEqualityCondition({ sql, value }: PinnedColumn): Condition {
  return condition(`${sql} = ?`, value);
}

const SELECT_DELIVERY = `SELECT ${DELIVERY_COLUMNS.map((column) => `d.${column}`).join(', ')}, ${IS_HELD} AS held`;

export async function findDelivery(
  database: Queryable,
  deliveryId: string,
): Promise<OutboundDeliveryRecord | undefined> {
  if (!isStorableId(deliveryId)) return undefined;
  const { rows } = await database.query({
    name: 'find_delivery',
    text: `${SELECT_DELIVERY} FROM outbound_deliveries d LEFT JOIN troubled_endpoints t USING (endpoint_id) WHERE d.delivery_id = $1`,
    values: [deliveryId],
  });
  return rows[0] === undefined ? undefined : toDelivery(rows[0]);
}

/**
 * Schedules an immediate attempt. Raises the epoch, so that an attempt in progress can no longer record its result.
 *
 * @returns whether the delivery exists and is not erased
 */
export async function forceDelivery(transaction: Queryable, deliveryId: string): Promise<boolean> {
  if (!isStorableId(deliveryId)) return false;
  const { rows } = await transaction.query({
    name: 'force_delivery',
    text: `UPDATE outbound_deliveries SET status = 'pending', attempts = 0, epoch = epoch + 1, forced = true, next_attempt_at = now(), ended_at = NULL
           WHERE delivery_id = $1 AND body <> '' RETURNING 1`,
    values: [deliveryId],
  });
  return rows.length > 0;
}

export async function listFailingEndpoints(database: Queryable): Promise<FailingEndpoint[]> {
  const { rows } = await database.query({
    name: 'troubled_endpoints',
    text: 'SELECT endpoint_id, failing_since, disabled_at FROM troubled_endpoints ORDER BY endpoint_id',
    values: [],
  });
  return rows.map((row) => ({
    endpointId: String(row['endpoint_id']),
    failingSince: row['failing_since'] as number,
    disabledAt: row['disabled_at'] as number | null,
  }));
}
