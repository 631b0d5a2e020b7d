import type { Knex } from 'knex';

/**
 * Columns that spare lists from reading whole subjects: `summary` and `outline` (the members of the subject that lists
 * show), and `search_text`, which is everything that a search compares. They are null if a server of an earlier version
 * wrote the approval: lists then read the subject, and a search compares the other columns.
 *
 * A trigger clears them if a server of an earlier version erases personal data: it does not increase `list_revision`.
 *
 * Existing approvals become searchable, except those whose subject contains an escape that PostgreSQL cannot parse: NUL
 * or a lone surrogate.
 */
export const searchApprovals = {
  name: '0022-search-approvals',
  async up(knex: Knex): Promise<void> {
    await knex.raw(String.raw`
      ALTER TABLE approvals ADD COLUMN summary text, ADD COLUMN outline json, ADD COLUMN search_text text,
        ADD COLUMN list_revision integer NOT NULL DEFAULT 0;
      UPDATE approvals SET search_text = title || ' ' || COALESCE(description, '') || ' ' || COALESCE(business_key, '') ||
          ' ' || requested_by || ' ' || workflow_id || ' ' || element_id || ' ' || run_id::text || ' ' || approval_id::text ||
          ' ' || left(COALESCE((subject -> 'tool')::text, '') || COALESCE((subject -> 'inputs')::text, ''), 2000)
        WHERE subject::text !~* '\\u(0000|d[89a-f])';

      CREATE FUNCTION clear_list_columns() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.summary := NULL; NEW.outline := NULL; NEW.search_text := NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER clear_list_columns BEFORE UPDATE OF subject ON approvals FOR EACH ROW
        WHEN (NEW.list_revision = OLD.list_revision)
        EXECUTE FUNCTION clear_list_columns();
    `);
  },
};
