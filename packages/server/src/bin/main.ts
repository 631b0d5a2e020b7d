import 'reflect-metadata';
import { ROLES } from '@countersign/contract';
import { Command, CommanderError, Option } from 'commander';
import { SERVER_VERSION } from '../app/version.js';
import { addConfigurationOptions } from './configuration-options.js';
import { migrate } from './migrate-command.js';
import { openapi } from './openapi-command.js';
import { describeError } from './print-error.js';
import { start } from './start-command.js';
import { token } from './token-command.js';

const USAGE_ERROR = 2;

/** The `countersign` command. Sets the exit code: 0, 1 for what failed, 2 for what was typed wrongly. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has said already what is wrong; help and version are no errors.
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
      return;
    }
    process.stderr.write(describeError(error, args.includes('--verbose')));
    process.exitCode = 1;
  }
}

function program(): Command {
  const countersign = new Command('countersign')
    .description('Workflow runs in which agents do the work and people answer for it.')
    .version(SERVER_VERSION)
    .showHelpAfterError('Run it with --help for all options.')
    .exitOverride();
  addConfigurationOptions(subcommand(countersign, 'start', 'start the server'))
    .option('--port <number>', 'port to listen on; 0 picks a free one (Server:Port)')
    .option('--host <address>', 'address to listen on (Server:Host)')
    .option('--development', 'for work on this machine: development tokens where only it can reach the server, logs for people')
    .action(start);
  addConfigurationOptions(subcommand(countersign, 'token', 'print a development token of the running server'))
    .addOption(new Option('--role <role>', 'what the token may do').choices(ROLES).makeOptionMandatory())
    .option('--subject <id>', 'who it is for (default: the name of the role)')
    .option('--name <name>', 'name to show')
    .addOption(
      new Option('--group <name>', 'a group that they are in; may be repeated').argParser((group: string, others: string[]) => [...others, group]).default([], 'none'),
    )
    .option('--url <url>', 'address of the server (default: the one that runs on the data directory)')
    .action(token);
  addConfigurationOptions(subcommand(countersign, 'migrate', 'bring the database up to date, and stop')).action(migrate);
  subcommand(countersign, 'openapi', 'print the OpenAPI document').action(openapi);
  return countersign;
}

function subcommand(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).option('--verbose', 'say where an error comes from').exitOverride().showHelpAfterError(`Run countersign ${name} --help for all options.`);
}
