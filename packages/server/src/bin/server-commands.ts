import 'reflect-metadata';
import { ROLES } from '@countersign/contract';
import { Option, type Command } from 'commander';
import { addConfigurationOptions } from './configuration-options.js';
import { addPolicyCommands } from './policy/add-policy-commands.js';
import { subcommand } from './subcommand.js';

/**
 * Declares all commands that involve a server. Each loads its code when it runs, so that help and usage errors are
 * fast.
 */
export function addServerCommands(countersign: Command): void {
  addStartOptions(subcommand(countersign, 'start', 'start the server')).action(
    loaded(async () => (await import('./start-command.js')).start),
  );
  addConfigurationOptions(subcommand(countersign, 'token', 'print a development token of the running server'))
    .addOption(new Option('--role <role>', 'what the token may do').choices(ROLES).makeOptionMandatory())
    .option('--subject <id>', 'who it is for (default: the name of the role)')
    .option('--name <name>', 'name to show')
    .option('--user-name <name>', 'name beside the subject by which workflows may name them, such as an e-mail address')
    .addOption(
      new Option('--group <name>', 'a group that they are in; may be repeated')
        .argParser((group: string, others: string[]) => [...others, group])
        .default([], 'none'),
    )
    .option('--url <url>', 'address of the server (default: the one that runs on the data directory)')
    .action(loaded(async () => (await import('./token-command.js')).token));
  addConfigurationOptions(subcommand(countersign, 'migrate', 'bring the database up to date, and stop')).action(
    loaded(async () => (await import('./migrate-command.js')).migrate),
  );
  addConfigurationOptions(
    subcommand(countersign, 'templates', 'make the element templates of all connectors, for Camunda Modeler'),
  )
    .option('--out <directory>', 'write a file for each to a directory (default: print them all)')
    .action(loaded(async () => (await import('./templates/templates-command.js')).templates));
  const config = countersign
    .command('config')
    .description('look at the configuration')
    .showHelpAfterError('Run countersign config --help for all options.')
    .exitOverride();
  addStartOptions(
    subcommand(
      config,
      'explain',
      'print each value of the configuration and where it comes from, without secrets',
    ).argument('[key]', 'one key, or all of a section'),
  ).action(loaded(async () => (await import('./explain-command.js')).explain));
  addPolicyCommands(countersign);
  subcommand(countersign, 'openapi', 'print the OpenAPI document').action(
    loaded(async () => (await import('./openapi-command.js')).openapi),
  );
}

function loaded<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void> | void>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}

/** Adds the options of `start` and of `config explain`. */
function addStartOptions(command: Command): Command {
  return addConfigurationOptions(command)
    .option('--port <number>', 'port to listen on; 0 picks a free one (Server:Port)')
    .option('--host <address>', 'address to listen on (Server:Host)')
    .option(
      '--development',
      'for work on this machine: development tokens where only it can reach the server, logs for people',
    );
}
