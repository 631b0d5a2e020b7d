import type { RunPayloads, StoredText } from '@countersign/core/ports';
import type { Queryable } from '../database/transaction.js';

/** Returns the payloads that were sent or received for a run and are stored outside of its history. */
export async function loadRunPayloads(database: Queryable, runId: string): Promise<RunPayloads> {
  const deliveries = await database.query({
    name: 'deliveries_of_run',
    text: 'SELECT delivery_id AS id, body AS text FROM outbound_deliveries WHERE run_id = $1',
    values: [runId],
  });
  const inboundEvents = await database.query({
    name: 'inbound_events_of_run',
    text: `SELECT event_id AS id, concat_ws(' ', payload::text, actor::text, "from") AS text FROM inbound_events
           WHERE EXISTS (SELECT FROM jsonb_each_text(received) AS r WHERE r.value = $1)`,
    values: [runId],
  });
  return { deliveries: deliveries.rows.map(toStoredText), inboundEvents: inboundEvents.rows.map(toStoredText) };
}

function toStoredText(row: Record<string, unknown>): StoredText {
  return { id: String(row['id']), text: String(row['text'] ?? '') };
}
