import type { Knex } from 'knex';

/**
 * Changes only indexes. Each new one is created in one pass over its table. The two on `run_events` take longest,
 * because each reads all events. Commits of runs wait in the meantime.
 *
 * - `run_events_of_decisions` contains the policy decisions by time, `run_events_of_notable_decisions` those that users
 * search for: decisions other than `allow`, or with high or critical risk. Other events are in neither, so writing them
 * costs no more.
 * - `runs_by_caller` replaces `runs_by_parent`. It has the order in which lists show child runs.
 * - `approvals_by_urgency`: the highest risk first, and within a risk level the earliest due date first.
 */
export const decisionsAndInboxes = {
  name: '0006-decisions-and-inboxes',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX run_events_of_decisions ON run_events (at, run_id, seq)
        WHERE type IN ('step.started', 'step.migrated', 'agent.call.requested') AND (data -> 'policyDecision') IS NOT NULL;
      CREATE INDEX run_events_of_notable_decisions ON run_events (at, run_id, seq)
        WHERE type IN ('step.started', 'step.migrated', 'agent.call.requested') AND (data -> 'policyDecision') IS NOT NULL
          AND (data #>> '{policyDecision,decision}' <> 'allow' OR data #>> '{policyDecision,riskLevel}' IN ('high', 'critical'));

      CREATE INDEX runs_by_caller ON runs (parent_run_id, run_id) WHERE parent_run_id IS NOT NULL;
      DROP INDEX runs_by_parent;

      CREATE INDEX approvals_by_urgency ON approvals
        (status, ((3 - risk_rank)::smallint), COALESCE(due_at, 'infinity'::timestamptz), approval_id);
      CREATE INDEX votes_by_voter ON votes (voted_by, approval_id);
    `);
  },
};
