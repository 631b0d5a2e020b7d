import type { Knex } from 'knex';

/**
 * The servers by engine, and the engines to which workflows were moved. The index finds the active runs of a workflow or
 * of an engine; runs leave it when they end.
 */
export const engineRegister = {
  name: '0020-engine-register',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE servers (
        server_id uuid PRIMARY KEY,
        engine text NOT NULL,
        seen_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70);

      CREATE TABLE engines_of_workflows (
        workflow_id text PRIMARY KEY,
        engine text NOT NULL
      );

      CREATE INDEX active_runs_by_engine ON runs (engine, workflow_id) WHERE outcome IS NULL;
    `);
  },
};
