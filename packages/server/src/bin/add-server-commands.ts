import 'reflect-metadata';
import { ROLES } from '@countersign/contract';
import { Option, type Command } from 'commander';
import { addConfigurationOptions } from './configuration-options.js';
import { addEngineCommands } from './engine/add-engine-commands.js';
import { addPolicyCommands } from './policy/add-policy-commands.js';
import { addSubcommand } from './add-subcommand.js';

/**
 * Declares the subcommands of `countersign` other than `lint` and `verify`. Each loads its code when it runs, so that
 * help and usage errors are fast.
 */
export function addServerCommands(countersign: Command): void {
  addStartOptions(addSubcommand(countersign, 'start', 'start the server')).action(
    lazyCommand(async () => (await import('./start-command.js')).start),
  );
  addConfigurationOptions(addSubcommand(countersign, 'token', 'print a development token of the running server'))
    .addOption(new Option('--role <role>', 'role of the token').choices(ROLES).makeOptionMandatory())
    .option('--subject <id>', 'user that the token is for (default: the name of the role)')
    .option('--name <name>', 'display name of the user')
    .option('--user-name <name>', 'another name by which workflows may refer to the user, such as an e-mail address')
    .addOption(
      new Option('--group <name>', 'group of the user; may be repeated')
        .argParser((group: string, previous: string[]) => [...previous, group])
        .default([], 'none'),
    )
    .option('--url <url>', 'address of the server (default: the one that runs on the data directory)')
    .action(lazyCommand(async () => (await import('./token-command.js')).printToken));
  addConfigurationOptions(
    addSubcommand(countersign, 'migrate', 'migrate the database to the current version, then exit'),
  ).action(lazyCommand(async () => (await import('./migrate-command.js')).migrate));
  addConfigurationOptions(
    addSubcommand(countersign, 'templates', 'generate the element templates of all connectors for Camunda Modeler'),
  )
    .option('--out <directory>', 'directory to write one file per template to (default: print all templates)')
    .action(lazyCommand(async () => (await import('./templates/templates-command.js')).writeElementTemplates));
  const config = countersign
    .command('config')
    .description('inspect the configuration')
    .showHelpAfterError('Run countersign config --help for all options.')
    .exitOverride();
  addStartOptions(
    addSubcommand(config, 'explain', 'print each configuration value and its source, without secrets').argument(
      '[key]',
      'a key or a section (default: all keys)',
    ),
  ).action(lazyCommand(async () => (await import('./explain-command.js')).explain));
  addPolicyCommands(countersign);
  addEngineCommands(countersign);
  addSubcommand(countersign, 'openapi', 'print the OpenAPI document').action(
    lazyCommand(async () => (await import('./openapi-command.js')).printOpenApiDocument),
  );
}

function lazyCommand<Args extends unknown[]>(
  load: () => Promise<(...args: Args) => Promise<void> | void>,
): (...args: Args) => Promise<void> {
  return async (...args) => (await load())(...args);
}

/** Adds the options of `start` and of `config explain`. */
function addStartOptions(command: Command): Command {
  return addConfigurationOptions(command)
    .option('--port <number>', 'port to listen on; 0 picks a free one (Server:Port)')
    .option('--host <address>', 'address to listen on (Server:Host)')
    .option('--engine <name>', 'engine that executes the runs, for example temporal (Engine:Adapter)')
    .option(
      '--development',
      'for local development: readable logs, and development tokens if only this machine can reach the server',
    );
}
