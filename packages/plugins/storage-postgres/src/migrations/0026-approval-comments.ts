import type { Knex } from 'knex';

/** Index of the comments on an approval, among all run events. */
export const approvalComments = {
  name: '0026-approval-comments',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE INDEX approval_comments ON run_events ((data ->> 'approvalId'), seq) WHERE type = 'approval.commented';
    `);
  },
};
