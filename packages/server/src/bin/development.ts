import { readCoreConfiguration, type ConfigurationLayers } from '@countersign/core';
import { isIP } from 'node:net';

/**
 * What `--development` prefers where nothing else is said: logs for people, and development tokens where only this
 * machine can reach the server, nobody else issues tokens, and it is not in production.
 */
export function withDevelopmentDefaults(
  layers: ConfigurationLayers,
  environment: NodeJS.ProcessEnv = process.env,
): ConfigurationLayers {
  const { core } = readCoreConfiguration(layers);
  const tokens =
    core !== undefined &&
    isLoopback(core.Server.Host) &&
    core.Auth.Issuer === undefined &&
    environment['NODE_ENV'] !== 'production';
  return {
    ...layers,
    defaults: {
      ...layers.defaults,
      Log: { Format: 'pretty' },
      ...(tokens ? { Auth: { DevToken: { Enabled: true } } } : {}),
    },
  };
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (bare === 'localhost' || bare === '::1') return true;
  return isIP(bare) === 4 && bare.startsWith('127.');
}
