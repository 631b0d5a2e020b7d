import { createDeletePart, createInsertPart, type CommitPart } from './commit-part.js';

/** Messages that commands consume, subscriptions that they open and close, and start keys that they take and free. */
export const MESSAGE_PARTS: readonly CommitPart[] = [
  createInsertPart(
    'message_subscriptions',
    {
      run_id: 'uuid',
      subscription_id: 'uuid',
      workflow_id: 'text',
      step_id: 'uuid',
      element_id: 'text',
      message_name: 'text',
      correlation_key: 'text',
      since: 'moment',
    },
    ({ run, subscriptionsOpened }) =>
      subscriptionsOpened.map((subscription) => ({
        run_id: run.runId,
        subscription_id: subscription.subscriptionId,
        workflow_id: run.workflowId,
        step_id: subscription.stepId,
        element_id: subscription.elementId,
        message_name: subscription.messageName,
        correlation_key: subscription.correlationKey,
        since: subscription.since,
      })),
  ),
  createDeletePart('message_subscriptions', 'subscription_id', (write) => write.subscriptionsClosed),
  {
    name: 'received',
    columns: { run_id: 'uuid', message_id: 'uuid', workflow_id: 'text', started: 'boolean' },
    // Aggregated, because a statement may update a row only once, even if runs of several workflows received the
    // message.
    sql: `UPDATE messages m SET received = m.received || n.receivers
          FROM (
            SELECT message_id, jsonb_object_agg(workflow_id, jsonb_build_object('runId', run_id, 'started', started)) AS receivers
            FROM input GROUP BY message_id
          ) n
          WHERE m.message_id = n.message_id AND m.message_id = ANY(ARRAY(SELECT message_id FROM input))`,
    // The rows of messages are locked in order, so that two servers do not deadlock.
    rejectedSql: `SELECT n.run_id FROM input n WHERE (n.message_id, n.workflow_id) NOT IN (
               SELECT i.message_id, i.workflow_id FROM input i JOIN messages m USING (message_id)
               WHERE m.message_id = ANY(ARRAY(SELECT message_id FROM input)) AND NOT m.received ? i.workflow_id
               ORDER BY i.message_id FOR UPDATE OF m
             ) OR EXISTS (
               SELECT FROM input e WHERE e.message_id = n.message_id AND e.workflow_id = n.workflow_id AND e.run_id < n.run_id
             )`,
    rows: ({ run, cause, expectedRevision }) =>
      cause?.from === 'channel'
        ? [
            {
              run_id: run.runId,
              message_id: cause.messageId,
              workflow_id: run.workflowId,
              started: expectedRevision === 0,
            },
          ]
        : [],
  },
  {
    name: 'taken_start_keys',
    columns: { run_id: 'uuid', workflow_id: 'text', correlation_key: 'text', kept: 'boolean' },
    sql: `INSERT INTO message_start_keys (workflow_id, correlation_key, run_id)
          SELECT workflow_id, correlation_key, run_id FROM input WHERE kept`,
    // LATERAL with LIMIT, because for EXISTS conditions joined by OR, the planner would read all keys into a hash
    // table.
    rejectedSql: `SELECT n.run_id FROM input n CROSS JOIN LATERAL (
               SELECT FROM message_start_keys k WHERE k.workflow_id = n.workflow_id AND k.correlation_key = n.correlation_key LIMIT 1
             ) AS taken
             UNION ALL SELECT n.run_id FROM input n WHERE EXISTS (
               SELECT FROM input e WHERE e.workflow_id = n.workflow_id AND e.correlation_key = n.correlation_key AND e.run_id < n.run_id
             )`,
    rows: ({ run, startKey }) =>
      startKey?.begins === true
        ? [
            {
              run_id: run.runId,
              workflow_id: run.workflowId,
              correlation_key: startKey.correlationKey,
              kept: !startKey.ends,
            },
          ]
        : [],
  },
  {
    name: 'freed_start_keys',
    columns: { run_id: 'uuid', workflow_id: 'text', correlation_key: 'text' },
    sql: `DELETE FROM message_start_keys k USING (SELECT * FROM input) n
          WHERE k.workflow_id = n.workflow_id AND k.correlation_key = n.correlation_key AND k.run_id = n.run_id`,
    rows: ({ run, startKey }) =>
      startKey?.ends === true && !startKey.begins
        ? [{ run_id: run.runId, workflow_id: run.workflowId, correlation_key: startKey.correlationKey }]
        : [],
  },
  {
    // Marks the channels in which a message may now be correlated. Their rows are locked in order, to prevent
    // deadlocks.
    name: 'stirred_channels',
    columns: { run_id: 'uuid', workflow_id: 'text', message_name: 'text', correlation_key: 'text' },
    sql: `UPDATE message_channels c SET changes = nextval('delivery_order'), look_at = now()
          FROM (
            SELECT c.message_name, c.correlation_key FROM message_channels c JOIN (
              SELECT message_name, correlation_key FROM input WHERE message_name IS NOT NULL
              UNION
              SELECT s.name, i.correlation_key FROM start_subscriptions s
              JOIN (SELECT workflow_id, correlation_key FROM input) i ON i.workflow_id = s.workflow_id AND s.kind = 'message'
            ) n USING (message_name, correlation_key)
            ORDER BY message_name, correlation_key FOR UPDATE OF c
          ) n
          WHERE c.message_name = n.message_name AND c.correlation_key = n.correlation_key`,
    rows: ({ run, subscriptionsOpened, startKey }) => [
      ...subscriptionsOpened.map(({ messageName, correlationKey }) => ({
        run_id: run.runId,
        message_name: messageName,
        correlation_key: correlationKey,
      })),
      ...(startKey?.ends === true
        ? [{ run_id: run.runId, workflow_id: run.workflowId, correlation_key: startKey.correlationKey }]
        : []),
    ],
  },
];
