import type { Command } from 'commander';
import { addSubcommand } from '../add-subcommand.js';
import type { VerifyOptions } from './verify-command.js';

/** Declares `countersign verify`; its code is loaded when the command runs. */
export function addVerifyCommand(countersign: Command): void {
  addSubcommand(countersign, 'verify', 'check an evidence pack or an audit trail without a server')
    .argument('<file>', 'file of the evidence pack or audit trail; - for standard input')
    .option('--json', 'print the result as JSON')
    .action(async (file: string, options: VerifyOptions) =>
      (await import('./verify-command.js')).verify(file, options),
    );
}
