import type { Knex } from 'knex';

/** Notices of signing keys are delivered as notifications are, and no run asks for them. */
export const deliveriesWithoutRun = {
  name: '0014-deliveries-without-run',
  async up(knex: Knex): Promise<void> {
    await knex.raw(
      'ALTER TABLE outbound_deliveries ALTER COLUMN run_id DROP NOT NULL, ALTER COLUMN element_id DROP NOT NULL',
    );
  },
};
