import { readConfigurationFile, type CommandLineValue, type ConfigurationLayers } from '@countersign/core';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { CliError } from './cli-error.js';

/** Configuration file that is read from the working directory if `--config` is missing. */
export const DEFAULT_CONFIGURATION_FILE = 'countersign.config.yaml';

/** Options of all commands that need a configuration. */
export interface ConfigurationOptions {
  readonly config?: string;
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly engine?: string;
  readonly set: readonly CommandLineValue[];
}

export function addConfigurationOptions(command: Command): Command {
  return command
    .option(
      '--config <file>',
      `configuration file, YAML or JSON (default: ${DEFAULT_CONFIGURATION_FILE}, if it exists in this directory)`,
    )
    .option('--data <dir>', 'data directory (Data:Directory)')
    .addOption(
      new Option('--set <key=value>', 'any configuration key, for example Runs:StuckAfter=PT10M; may be repeated')
        .argParser(collectSetting)
        .default([], 'none'),
    );
}

function collectSetting(text: string, previous: readonly CommandLineValue[]): CommandLineValue[] {
  const separatorIndex = text.indexOf('=');
  if (separatorIndex < 1) throw new InvalidArgumentError('Use the form Key:Sub=value.');
  return [...previous, { key: text.slice(0, separatorIndex), value: text.slice(separatorIndex + 1) }];
}

/** Returns the configuration layers for a command line. */
export async function loadConfigurationLayers(
  options: ConfigurationOptions,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ConfigurationLayers> {
  const path = options.config ?? (existsSync(DEFAULT_CONFIGURATION_FILE) ? DEFAULT_CONFIGURATION_FILE : undefined);
  const shortcuts: CommandLineValue[] = [];
  const addShortcut = (option: 'data' | 'host' | 'port' | 'engine', key: string): void => {
    const value = options[option];
    if (value === '')
      throw new CliError('invalid_option', `--${option} needs a value.`, 'See countersign start --help.');
    if (value !== undefined) shortcuts.push({ key, value, option: `--${option}` });
  };
  addShortcut('data', 'Data:Directory');
  addShortcut('host', 'Server:Host');
  addShortcut('port', 'Server:Port');
  addShortcut('engine', 'Engine:Adapter');
  return {
    ...(path === undefined ? {} : { file: await readConfigurationFile(path) }),
    environment,
    commandLine: [...options.set, ...shortcuts],
  };
}
