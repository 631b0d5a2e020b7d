import type { CommitPart } from './commit-part.js';

/** Messages that runs send, and the messages that commands consume. */
export const OUTBOX_PARTS: readonly CommitPart[] = [
  {
    name: 'new_outbox',
    columns: {
      run_id: 'uuid',
      ordinal: 'int',
      message_id: 'uuid',
      queue: 'uuid',
      sent_at: 'moment',
      message: 'json',
    },
    // Inserted in order, because that determines `position`. A message whose id exists has the same content
    // (`deriveId`).
    sql: `INSERT INTO outbox (run_id, message_id, queue, sent_at, message)
          SELECT run_id, message_id, queue, sent_at, message FROM input
          ORDER BY run_id, ordinal
          ON CONFLICT (message_id) DO NOTHING`,
    rows: ({ run, outgoing }) =>
      outgoing.map(({ message, queue, sentAt }, ordinal) => ({
        run_id: run.runId,
        ordinal,
        message_id: message.messageId,
        queue,
        sent_at: sentAt,
        message,
      })),
  },
  {
    name: 'delivered',
    columns: { run_id: 'uuid', message_id: 'uuid' },
    sql: 'DELETE FROM outbox WHERE message_id = ANY(ARRAY(SELECT message_id FROM input))',
    rejectedSql: `SELECT n.run_id FROM input n WHERE n.message_id NOT IN (
               SELECT message_id FROM outbox WHERE message_id = ANY(ARRAY(SELECT message_id FROM input)) FOR UPDATE
             )`,
    rows: ({ run, cause }) => (cause?.from === 'outbox' ? [{ run_id: run.runId, message_id: cause.messageId }] : []),
  },
  {
    // Uses the index `outbox_contributors`.
    name: 'contributors_known',
    columns: { run_id: 'uuid', root_run_id: 'word', known: 'jsonb' },
    sql: 'SELECT run_id FROM input',
    rejectedSql: `SELECT n.run_id FROM input n WHERE EXISTS (
               SELECT FROM outbox o, json_array_elements_text(o.message->'contributors') AS c (id)
               WHERE o.message->>'kind' = 'contributors' AND o.message->>'rootRunId' = ANY(ARRAY(SELECT root_run_id FROM input))
                 AND o.message->>'rootRunId' = n.root_run_id AND NOT n.known ? c.id
             )`,
    rejectedResult: 'outdated',
    rows: ({ run, contributorsKnown: known }) =>
      known === null ? [] : [{ run_id: run.runId, root_run_id: known.rootRunId, known: known.ids }],
  },
];
