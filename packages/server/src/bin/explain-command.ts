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
import { loadHostOptions } from './compose-host.js';
import { loadStartLayers, type StartOptions } from './start-command.js';

type Setting = ExplainedConfiguration['settings'][number];

/** Prints the effective configuration and the source of each value. */
export async function explain(key: string | undefined, options: StartOptions): Promise<void> {
  const hostOptions = await loadHostOptions(await loadStartLayers(options));
  const { stored, unavailableReason } = await readSavedSettings(hostOptions);
  const explained = explainConfiguration(hostOptions, stored);
  // The report names the source of each error. A misplaced value may be a secret, so it is not printed.
  if (explained.problems.length > 0) throw new HostStartError(explained.problems);
  const shownSettings =
    key === undefined
      ? explained.settings
      : explained.settings.filter((setting) => setting.key === key || setting.key.startsWith(`${key}:`));
  if (key !== undefined && shownSettings.length === 0)
    throw new CliError(
      'unknown_configuration_key',
      `Unknown configuration key ${key}.`,
      'Run countersign config explain without a key to list all keys.',
    );
  process.stdout.write(`${shownSettings.map(formatSetting).join('\n')}\n`);
  const [firstSetting] = shownSettings;
  if (firstSetting !== undefined && firstSetting.key === key)
    process.stdout.write(`\n${formatDetails(firstSetting)}\n`);
  for (const unknownKey of explained.unknownSavedKeys)
    process.stderr.write(`The saved setting ${unknownKey} has no effect.\n`);
  if (unavailableReason !== undefined)
    process.stderr.write(`Settings saved by admins could not be read and are not included: ${unavailableReason}\n`);
}

/** Returns the saved settings, or the reason why they cannot be read. */
async function readSavedSettings(
  hostOptions: HostOptions,
): Promise<{ stored?: StoredSettings; unavailableReason?: string }> {
  try {
    return { stored: await createHost(hostOptions).get(SettingsReaderPort).read() };
  } catch (error) {
    if (isHostStartError(error)) return { unavailableReason: 'the configuration is invalid.' };
    return { unavailableReason: error instanceof Error ? error.message : String(error) };
  }
}

function formatSetting({ key, value, isSecret, isSet, origin }: Setting): string {
  const valueText = isSecret
    ? isSet
      ? '[secret]'
      : '(not set)'
    : value === null
      ? '(not set)'
      : JSON.stringify(value);
  return `${key} = ${valueText}    # ${origin ?? 'default'}`;
}

function formatDetails({ description, editable, restartRequired }: Setting): string {
  const changeText = editable
    ? `An admin may save another value, which takes effect ${restartRequired ? 'at the next start' : 'immediately'}.`
    : 'It can be set only in the configuration, not through the API.';
  return [...(description === null ? [] : [description]), changeText].join('\n');
}
