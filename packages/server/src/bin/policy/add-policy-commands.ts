import { InvalidArgumentError, type Command } from 'commander';
import { addConnectionOptions } from '../connection-options.js';
import { addSubcommand } from '../add-subcommand.js';
import type { TryOptions } from './try-command.js';

const MAX_RUNS = 1_000;

/** Declares `countersign policy`; its code is loaded when the command runs. */
export function addPolicyCommands(countersign: Command): void {
  const policy = countersign
    .command('policy')
    .description('check policies and try them on past runs')
    .showHelpAfterError('Run countersign policy --help for all options.')
    .exitOverride();
  addSubcommand(policy, 'check', 'check a directory of policies, without a server')
    .argument('<directory>', 'directory that contains the *.cedar files')
    .action(async (directory: string) => (await import('./check-command.js')).checkPolicies(directory));
  addConnectionOptions(
    addSubcommand(
      policy,
      'try',
      'list the policy decisions of past runs that a draft changes; exit with code 1 if a decision becomes weaker or cannot be evaluated',
    ),
    'an admin',
  )
    .requiredOption('--policies <directory>', 'directory that contains the *.cedar files of the draft')
    .option(
      '--runs <query>',
      'filter for runs, as in GET /api/runs, for example workflowId=release&status=completed',
      '',
    )
    .option('--limit <number>', `maximum number of runs, 1 to ${MAX_RUNS}`, toLimit, 100)
    .option('--json', 'print the response of the server as JSON')
    .action(async (options: TryOptions) => (await import('./try-command.js')).tryPolicies(options));
}

function toLimit(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > MAX_RUNS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_RUNS}.`);
  return Number(text);
}
