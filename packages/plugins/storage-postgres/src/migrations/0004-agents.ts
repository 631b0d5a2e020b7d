import type { Knex } from 'knex';

/**
 * - `questions` contains the questions that agents ask people. Their ids sort by the time at which they were asked.
 * - `definitions` permanently keeps definitions that were in force, by digest.
 * - `jobs.call_id` is the agent call that the job executes.
 * - `run_events_of_agents` indexes the events of agent transcripts, and no events of other steps.
 */
export const agents = {
  name: '0004-agents',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE questions (
        question_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        workflow_id text NOT NULL,
        step_id uuid NOT NULL,
        element_id text NOT NULL,
        agent_name text NOT NULL,
        purpose text NOT NULL,
        call_id uuid,
        text text NOT NULL,
        options jsonb,
        answer_schema jsonb,
        asked_at timestamptz NOT NULL,
        due_at timestamptz,
        on_due jsonb NOT NULL,
        status text NOT NULL,
        answer jsonb,
        answered_by jsonb,
        closed_at timestamptz
      ) WITH (fillfactor = 80);
      CREATE INDEX questions_by_status ON questions (status, question_id);
      CREATE INDEX questions_by_run ON questions (run_id, question_id);

      CREATE TABLE definitions (
        kind text NOT NULL,
        digest text NOT NULL,
        name text NOT NULL,
        content jsonb NOT NULL,
        first_seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (kind, digest)
      );
      CREATE TRIGGER definitions_insert_only BEFORE UPDATE OR DELETE OR TRUNCATE ON definitions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();

      ALTER TABLE jobs ADD COLUMN call_id uuid;

      CREATE INDEX run_events_of_agents ON run_events (step_id, seq) WHERE type LIKE 'agent.%' OR type LIKE 'question.%';
    `);
  },
};
