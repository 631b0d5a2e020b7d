import { Command } from 'commander';
import { expect } from 'chai';
import { readCoreConfiguration } from '@countersign/core';
import {
  addConfigurationOptions,
  loadConfigurationLayers,
  type ConfigurationOptions,
} from './configuration-options.js';

describe('command-line options for the configuration', () => {
  const parse = (...args: string[]) =>
    addConfigurationOptions(new Command('test'))
      .option('--port <number>')
      .option('--engine <name>')
      .exitOverride()
      .configureOutput({ writeErr: () => undefined })
      .parse(args, { from: 'user' })
      .opts<ConfigurationOptions>();

  it('should let a shortcut override --set, and --set override the environment', async () => {
    const layers = await loadConfigurationLayers(
      parse('--set', 'Server:Port=1', '--set', 'Log:Level=warn', '--port', '2', '--engine', 'temporal'),
      {
        Server__Port: '3',
        Log__Level: 'debug',
      },
    );

    const { core } = readCoreConfiguration({ ...layers, overrides: {} });
    expect([core?.Server.Port, core?.Log.Level, core?.Engine.Adapter]).to.deep.equal([2, 'warn', 'temporal']);
  });

  it('should treat everything after the first = as the value', async () => {
    const layers = await loadConfigurationLayers(parse('--set', 'Auth:ClientId=a=b'), {});

    expect(readCoreConfiguration(layers).core?.Auth.ClientId).to.equal('a=b');
  });

  it('should refuse a --set option that is not key=value and a configuration file that does not exist', async () => {
    expect(() => parse('--set', 'Server:Port')).to.throw('Use the form Key:Sub=value.');
    expect(
      await loadConfigurationLayers(parse('--config', 'missing.yaml'), {}).catch((error: unknown) => error),
    ).to.include({
      code: 'configuration_unreadable',
    });
  });
});
