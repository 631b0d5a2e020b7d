import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConnectorContribution } from '@countersign/core';
import { CliError } from '../cli-error.js';
import { composeHost } from '../compose-host.js';
import { loadConfigurationLayers, type ConfigurationOptions } from '../configuration-options.js';
import { createElementTemplate } from './element-template.js';

export interface TemplatesOptions extends ConfigurationOptions {
  /** Output directory with one file per connector; without it, all templates are printed. */
  readonly out?: string;
}

/**
 * Writes or prints the element templates of all connectors, including those of configured plugins. Nothing is started.
 *
 * @throws {CliError} `templates_not_written`
 */
export async function writeElementTemplates({ out, ...options }: TemplatesOptions): Promise<void> {
  const layers = await loadConfigurationLayers(options);
  // Programs read the output, so nothing is logged; `start` reports the warnings of the configuration.
  const host = await composeHost({ ...layers, overrides: { ...layers.overrides, Log: { Level: 'silent' } } });
  const elementTemplates = host
    .getAll(ConnectorContribution)
    .map(createElementTemplate)
    .sort((a, b) => a.id.localeCompare(b.id, 'en'));
  if (out === undefined) {
    process.stdout.write(toJsonText(elementTemplates));
    return;
  }
  try {
    await mkdir(out, { recursive: true });
    for (const template of elementTemplates)
      await writeFile(join(out, `${template.id.replaceAll(/[^\w.-]/g, '_')}.json`), toJsonText(template));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new CliError(
      'templates_not_written',
      `The templates cannot be written to ${out} (${code}).`,
      'Use --out to specify a writable directory.',
      { cause },
    );
  }
  process.stdout.write(
    `${elementTemplates.length} ${elementTemplates.length === 1 ? 'template' : 'templates'} written to ${out}.\n`,
  );
}

function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
