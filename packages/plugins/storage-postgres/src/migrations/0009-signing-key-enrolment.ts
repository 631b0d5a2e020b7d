import type { Knex } from 'knex';

/**
 * What proved that a key is its owner's; none, and no vote counts that it signs. Keys from before stay valid. The default
 * holds for those alone: what a server of an earlier version registers meanwhile is not enrolled. An enrolment is for ever.
 */
export const signingKeyEnrolment = {
  name: '0009-signing-key-enrolment',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      ALTER TABLE signing_keys
        ADD COLUMN enrolled_by_method text DEFAULT 'unproven',
        ADD COLUMN enrolled_by text,
        ADD COLUMN enrolled_at timestamptz,
        ADD COLUMN countersignature text;
      ALTER TABLE signing_keys ALTER COLUMN enrolled_by_method DROP DEFAULT;

      CREATE TRIGGER signing_keys_enrolled BEFORE UPDATE ON signing_keys
        FOR EACH ROW WHEN (
          OLD.enrolled_by_method IS NOT NULL
          AND (OLD.enrolled_by_method, OLD.enrolled_by, OLD.enrolled_at, OLD.countersignature)
            IS DISTINCT FROM (NEW.enrolled_by_method, NEW.enrolled_by, NEW.enrolled_at, NEW.countersignature)
        ) EXECUTE FUNCTION refuse_signing_key_change();
    `);
  },
};
