import type { Command } from 'commander';
import { addConfigurationOptions, type ConfigurationOptions } from './configuration-options.js';

/** Options of a command that calls the running server. */
export interface ConnectionOptions extends ConfigurationOptions {
  readonly token?: string;
  readonly url?: string;
}

/** @param role the role that the command needs, with its article */
export function addConnectionOptions(command: Command, role: string): Command {
  return addConfigurationOptions(command)
    .option('--token <token>', `token of ${role} (default: COUNTERSIGN_TOKEN, otherwise a development token)`)
    .option('--url <url>', 'address of the server (default: the one that runs on the data directory)');
}
