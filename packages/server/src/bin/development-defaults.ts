import { readCoreConfiguration, type ConfigurationLayers } from '@countersign/core';
import { isLoopbackPeer } from '../net/host-names.js';

/**
 * Returns the layers with the defaults of `--development`: readable logs, a stop without a delay, and development
 * tokens if the server is reachable only from this machine, has no issuer and does not run in production.
 */
export function withDevelopmentDefaults(
  layers: ConfigurationLayers,
  environment: NodeJS.ProcessEnv = process.env,
): ConfigurationLayers {
  const { core } = readCoreConfiguration(layers);
  const enablesDevTokens =
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
      ...(enablesDevTokens ? { Auth: { DevToken: { Enabled: true } } } : {}),
    },
  };
}

/** Returns whether an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  return address === 'localhost' || isLoopbackPeer(address);
}
