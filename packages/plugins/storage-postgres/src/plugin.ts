import {
  definePlugin,
  LifecycleContribution,
  ReadinessCheckContribution,
  SettingsTestContribution,
} from '@countersign/core/plugin';
import {
  DefinitionStore,
  EndedSessionsStore,
  OutboundDeliveryStore,
  RateCountsStore,
  SettingsReaderPort,
  SigningKeyStore,
  StoragePort,
  ToolPinStore,
} from '@countersign/core/ports';
import { ClockWatch } from './clock-watch.js';
import { PostgresConfiguration, PostgresConfigurationSchema } from './configuration.js';
import { DatabaseCheck } from './database-check.js';
import { DatabaseTest } from './database-test.js';
import { PostgresDatabase } from './database/postgres-database.js';
import { PostgresDefinitions } from './definitions/postgres-definitions.js';
import { PostgresDeliveries } from './outbound-deliveries/postgres-deliveries.js';
import { PostgresLifecycle } from './postgres-lifecycle.js';
import { PostgresRateCounts } from './rate-counts/postgres-rate-counts.js';
import { PostgresSettingsReader } from './settings/postgres-settings-reader.js';
import { PostgresEndedSessions } from './ended-sessions/postgres-ended-sessions.js';
import { PostgresSigningKeys } from './signing-keys/postgres-signing-keys.js';
import { PostgresStorage } from './postgres-storage.js';
import { PostgresToolPins } from './tool-pins/postgres-tool-pins.js';

/** Plugin for storage on PostgreSQL, embedded by default. Register it first, so that it starts first and stops last. */
export const storagePostgresPlugin = definePlugin({
  id: 'storage-postgres',
  config: PostgresConfigurationSchema,
  register({ config, bind, contribute, provide }) {
    provide(PostgresConfiguration, config.Storage.Postgres);
    provide(PostgresDatabase, new PostgresDatabase());
    bind(StoragePort, PostgresStorage);
    bind(OutboundDeliveryStore, PostgresDeliveries);
    bind(DefinitionStore, PostgresDefinitions);
    bind(ToolPinStore, PostgresToolPins);
    bind(SigningKeyStore, PostgresSigningKeys);
    bind(EndedSessionsStore, PostgresEndedSessions);
    bind(RateCountsStore, PostgresRateCounts);
    bind(SettingsReaderPort, PostgresSettingsReader);
    contribute(LifecycleContribution, PostgresLifecycle);
    contribute(ReadinessCheckContribution, DatabaseCheck);
    contribute(ReadinessCheckContribution, ClockWatch);
    contribute(SettingsTestContribution, DatabaseTest);
  },
});
