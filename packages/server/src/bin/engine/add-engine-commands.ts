import { Option, type Command } from 'commander';
import { addSubcommand } from '../add-subcommand.js';
import { addConnectionOptions, type ConnectionOptions } from '../connection-options.js';
import type { MoveOptions } from './move-command.js';

/** Declares `countersign engine`; its code is loaded when the command runs. */
export function addEngineCommands(countersign: Command): void {
  const engine = countersign
    .command('engine')
    .description('list the engines of workflows, and move workflows to other engines')
    .showHelpAfterError('Run countersign engine --help for all options.')
    .exitOverride();
  addConnectionOptions(
    addSubcommand(engine, 'list', 'list the running servers and the active runs of each workflow by engine'),
    'an operator',
  ).action(async (options: ConnectionOptions) => (await import('./list-command.js')).listEngines(options));
  addConnectionOptions(
    addSubcommand(engine, 'move', 'move workflows to an engine: new runs start there, existing runs end where they are')
      .addOption(
        new Option('--workflow <id>', 'workflow to move; may be repeated')
          .argParser((workflowId: string, previous: readonly string[]) => [...previous, workflowId])
          .default([], 'none'),
      )
      .option('--all', 'move all workflows')
      .requiredOption('--to <engine>', 'engine to move to, for example temporal; "default" undoes moves')
      .option('--dry-run', 'print the plan, and change nothing'),
    'an admin',
  ).action(async (options: MoveOptions) => (await import('./move-command.js')).moveWorkflows(options));
}
