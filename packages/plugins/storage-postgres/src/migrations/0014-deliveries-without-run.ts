import type { Knex } from 'knex';

/** Notices about signing keys are delivered like notifications, but belong to no run. */
export const deliveriesWithoutRun = {
  name: '0014-deliveries-without-run',
  async up(knex: Knex): Promise<void> {
    await knex.raw(
      'ALTER TABLE outbound_deliveries ALTER COLUMN run_id DROP NOT NULL, ALTER COLUMN element_id DROP NOT NULL',
    );
  },
};
