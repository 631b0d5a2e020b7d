import { join } from 'node:path';
import { CoreConfiguration, StartupError } from '@countersign/core/plugin';
import type { SettingsReaderPort, StoredSettings } from '@countersign/core/ports';
import { findRunningServer } from '@countersign/embedded-postgres';
import { inject, injectable } from 'inversify';
import { PostgresConfiguration } from '../configuration.js';
import { buildConnectionOptions } from '../database/connection-options.js';
import { connect } from '../database/connect.js';
import { loadSettings } from './settings-store.js';

const UNDEFINED_TABLE = '42P01';

/** Reads the saved settings on a separate connection. Does not start an embedded database. */
@injectable()
export class PostgresSettingsReader implements SettingsReaderPort {
  constructor(
    @inject(PostgresConfiguration) private readonly configuration: PostgresConfiguration,
    @inject(CoreConfiguration) private readonly core: CoreConfiguration,
  ) {}

  async read(): Promise<StoredSettings> {
    const { ConnectionString } = this.configuration;
    const connectionString = ConnectionString.isSet
      ? ConnectionString.reveal()
      : await findRunningServer(join(this.core.Data.Directory, 'postgres'));
    if (connectionString === undefined)
      throw new StartupError(
        'database_not_running',
        'The embedded database is not running. It runs only while the server runs: start the server and try again.',
      );
    const client = await connect(buildConnectionOptions(connectionString));
    try {
      return await loadSettings(client);
    } catch (cause) {
      if (!(cause instanceof Error) || !('code' in cause) || cause.code !== UNDEFINED_TABLE) throw cause;
      throw new StartupError(
        'schema_mismatch',
        'The database has no settings table yet. Run countersign migrate.',
        {},
        { cause },
      );
    } finally {
      await client.end();
    }
  }
}
