import type { Knex } from 'knex';

/**
 * Proof that a key belongs to its owner; without it, no vote signed with the key counts. Existing keys stay valid. The
 * default applies only to them: keys that an older server registers in the meantime are not enrolled. An enrolment is
 * permanent.
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
