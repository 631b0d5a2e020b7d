import { readCoreConfiguration, type ConfigurationLayers } from '@countersign/core';
import { isLoopbackPeer } from '../net/host-names.js';

/**
 * What `--development` prefers where nothing else is said: logs for people, a stop without a delay, and development tokens
 * where only this machine can reach the server, nobody else issues tokens, and it is not in production.
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
      Server: { DrainDelay: 'PT0S' },
      ...(tokens ? { Auth: { DevToken: { Enabled: true } } } : {}),
    },
  };
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return bare === 'localhost' || isLoopbackPeer(bare);
}
