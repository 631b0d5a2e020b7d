import type { JsonObject } from '@countersign/core/plugin';
import type { Definition, DefinitionKind, DefinitionStore } from '@countersign/core/ports';
import { inject, injectable } from 'inversify';
import { PostgresDatabase } from '../database/postgres-database.js';
import { isStorableText } from '../queries/storable.js';

/** DefinitionStore on PostgreSQL. */
@injectable()
export class PostgresDefinitions implements DefinitionStore {
  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  async saveDefinitions(definitions: readonly Definition[]): Promise<void> {
    if (definitions.length === 0) return;
    await this.database.pool.query({
      name: 'save_definitions',
      text: `INSERT INTO definitions (kind, digest, name, content)
             SELECT kind, digest, name, content FROM json_to_recordset($1::json) AS n(kind text, digest text, name text, content jsonb)
             ORDER BY kind, digest
             ON CONFLICT DO NOTHING`,
      values: [JSON.stringify(definitions)],
    });
  }

  async findDefinition(kind: DefinitionKind, digest: string): Promise<Definition | undefined> {
    if (!isStorableText(digest)) return undefined;
    const { rows } = await this.database.pool.query<{ name: string; content: JsonObject }>({
      name: 'find_definition',
      text: 'SELECT name, content FROM definitions WHERE kind = $1 AND digest = $2',
      values: [kind, digest],
    });
    return rows[0] && { kind, digest, ...rows[0] };
  }
}
