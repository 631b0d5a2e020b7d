import {
  createHost,
  explainConfiguration,
  HostStartError,
  isHostStartError,
  SettingsReaderPort,
  type ExplainedConfiguration,
  type HostOptions,
  type StoredSettings,
} from '@countersign/core';
import { CliError } from './cli-error.js';
import { hostOptions } from './compose-host.js';
import { startLayers, type StartOptions } from './start-command.js';

type Setting = ExplainedConfiguration['settings'][number];

/** Prints the effective configuration and the source of each value. */
export async function explain(key: string | undefined, options: StartOptions): Promise<void> {
  const composition = await hostOptions(await startLayers(options));
  const { stored, missing } = await readSaved(composition);
  const explained = explainConfiguration(composition, stored);
  // The report names the source of each error. A misplaced value may be a secret, so it is not printed.
  if (explained.problems.length > 0) throw new HostStartError(explained.problems);
  const shown =
    key === undefined
      ? explained.settings
      : explained.settings.filter((setting) => setting.key === key || setting.key.startsWith(`${key}:`));
  if (key !== undefined && shown.length === 0)
    throw new CliError(
      'unknown_configuration_key',
      `Unknown configuration key ${key}.`,
      'Run countersign config explain without a key to list all keys.',
    );
  process.stdout.write(`${shown.map(lineOf).join('\n')}\n`);
  const [only] = shown;
  if (only !== undefined && only.key === key) process.stdout.write(`\n${detailsOf(only)}\n`);
  for (const homeless of explained.homeless) process.stderr.write(`The saved setting ${homeless} has no effect.\n`);
  if (missing !== undefined)
    process.stderr.write(`Settings saved by admins could not be read and are not included: ${missing}\n`);
}

/** Returns the saved settings, or why they cannot be read. */
async function readSaved(composition: HostOptions): Promise<{ stored?: StoredSettings; missing?: string }> {
  try {
    return { stored: await createHost(composition).get(SettingsReaderPort).read() };
  } catch (error) {
    if (isHostStartError(error)) return { missing: 'the configuration is invalid.' };
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

function lineOf({ key, value, isSecret, isSet, origin }: Setting): string {
  const shown = isSecret ? (isSet ? '[secret]' : '(not set)') : value === null ? '(not set)' : JSON.stringify(value);
  return `${key} = ${shown}    # ${origin ?? 'default'}`;
}

function detailsOf({ description, editable, restartRequired }: Setting): string {
  const change = editable
    ? `An admin may save another value, which takes effect ${restartRequired ? 'at the next start' : 'immediately'}.`
    : 'It can be set only in the configuration, not through the API.';
  return [...(description === null ? [] : [description]), change].join('\n');
}
