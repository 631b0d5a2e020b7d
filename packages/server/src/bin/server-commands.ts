import 'reflect-metadata';
import { ROLES } from '@countersign/contract';
import { Option, type Command } from 'commander';
import { addConfigurationOptions } from './configuration-options.js';
import { explain } from './explain-command.js';
import { migrate } from './migrate-command.js';
import { openapi } from './openapi-command.js';
import { start } from './start-command.js';
import { subcommand } from './subcommand.js';
import { templates } from './templates/templates-command.js';
import { token } from './token-command.js';

/** Declares all commands that have to do with a server. They load what the server is made of. */
export function addServerCommands(countersign: Command): void {
  addStartOptions(subcommand(countersign, 'start', 'start the server')).action(start);
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
  addConfigurationOptions(subcommand(countersign, 'templates', 'make the element templates of all connectors, for Camunda Modeler'))
    .option('--out <directory>', 'write a file for each to a directory (default: print them all)')
    .action(templates);
  const config = countersign.command('config').description('look at the configuration').showHelpAfterError('Run countersign config --help for all options.').exitOverride();
  addStartOptions(subcommand(config, 'explain', 'print each value of the configuration and where it comes from, without secrets').argument('[key]', 'one key, or all of a section')).action(explain);
  subcommand(countersign, 'openapi', 'print the OpenAPI document').action(openapi);
}

/** What the server is started with, and what explains what it would go by. */
function addStartOptions(command: Command): Command {
  return addConfigurationOptions(command)
    .option('--port <number>', 'port to listen on; 0 picks a free one (Server:Port)')
    .option('--host <address>', 'address to listen on (Server:Host)')
    .option('--development', 'for work on this machine: development tokens where only it can reach the server, logs for people');
}
