import type { Knex } from 'knex';

/**
 * Signing keys of approvers, kept permanently: triggers prevent deletion and all changes except use and a single
 * revocation. Also adds the id of the server, which signers include. Adding a column with a default does not rewrite
 * the table.
 */
export const signingKeys = {
  name: '0007-signing-keys',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE server_identity (
        id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        server_id uuid NOT NULL DEFAULT gen_random_uuid()
      );
      INSERT INTO server_identity DEFAULT VALUES;

      CREATE TABLE signing_keys (
        key_id text COLLATE "C" PRIMARY KEY,
        subject text NOT NULL,
        name text NOT NULL,
        public_key text NOT NULL,
        proof text NOT NULL,
        created_at timestamptz NOT NULL,
        last_used_at timestamptz,
        revoked_at timestamptz,
        revoked_by text,
        CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
      );
      CREATE INDEX signing_keys_by_subject ON signing_keys (subject, created_at, key_id);

      CREATE FUNCTION refuse_signing_key_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'signing keys are kept, and revoked for ever' USING ERRCODE = 'integrity_constraint_violation';
      END $$;
      CREATE TRIGGER signing_keys_kept BEFORE DELETE OR TRUNCATE ON signing_keys
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_signing_key_change();
      CREATE TRIGGER signing_keys_unchanged BEFORE UPDATE OF key_id, subject, name, public_key, proof, created_at ON signing_keys
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_signing_key_change();
      CREATE TRIGGER signing_keys_revoked BEFORE UPDATE ON signing_keys
        FOR EACH ROW WHEN (OLD.revoked_at IS NOT NULL) EXECUTE FUNCTION refuse_signing_key_change();

      ALTER TABLE approvals ADD COLUMN signature_required boolean NOT NULL DEFAULT false;
    `);
  },
};
