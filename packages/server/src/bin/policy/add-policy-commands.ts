import { InvalidArgumentError, type Command } from 'commander';
import { addConfigurationOptions } from '../configuration-options.js';
import { subcommand } from '../subcommand.js';
import type { TryOptions } from './try-command.js';

const MAX_RUNS = 1_000;

/** Declares `countersign policy`; its code is loaded when the command runs. */
export function addPolicyCommands(countersign: Command): void {
  const policy = countersign
    .command('policy')
    .description('check policies, and try them on past runs')
    .showHelpAfterError('Run countersign policy --help for all options.')
    .exitOverride();
  subcommand(policy, 'check', 'check a directory of policies, without a server')
    .argument('<directory>', 'where the *.cedar files lie')
    .action(async (directory: string) => (await import('./check-command.js')).checkPolicies(directory));
  addConfigurationOptions(
    subcommand(
      policy,
      'try',
      'list what a draft would have decided otherwise in past runs; ends with 1 where less would stand in the way',
    ),
  )
    .requiredOption('--policies <directory>', 'where the *.cedar files of the draft lie')
    .option(
      '--runs <query>',
      'which runs, as GET /api/runs filters them, for example workflowId=release&status=completed',
      '',
    )
    .option('--limit <number>', `how many runs at most, 1 to ${MAX_RUNS}`, toLimit, 100)
    .option('--json', 'print the answer of the server')
    .option('--token <token>', 'a token of an admin (default: COUNTERSIGN_TOKEN, else a development token)')
    .option('--url <url>', 'address of the server (default: the one that runs on the data directory)')
    .action(async (options: TryOptions) => (await import('./try-command.js')).tryPolicies(options));
}

function toLimit(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) < 1 || Number(text) > MAX_RUNS)
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MAX_RUNS}.`);
  return Number(text);
}
