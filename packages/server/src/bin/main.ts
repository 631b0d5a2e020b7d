import { Command, CommanderError } from 'commander';
import { SERVER_VERSION } from '../app/version.js';
import { addLintCommand } from './lint/add-lint-command.js';
import { addVerifyCommand } from './verify/add-verify-command.js';

const USAGE_EXIT_CODE = 2;

/** Runs the `countersign` command. Sets the exit code: 0, 1 for a failure, 2 for wrong usage. */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await (await createProgram(args)).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has already printed the problem; help and version are not errors.
      process.exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
      return;
    }
    const { describeError, getExitCode } = await import('./describe-error.js');
    process.stderr.write(describeError(error, args.includes('--verbose')));
    process.exitCode = getExitCode(error);
  }
}

async function createProgram([command]: readonly string[]): Promise<Command> {
  const countersign = new Command('countersign')
    .description('Runs workflows in which agents do the work and people are accountable for it.')
    .version(SERVER_VERSION)
    .showHelpAfterError('Run countersign --help for all options.')
    .exitOverride();
  // These commands need no server, so they do not load its modules.
  if (command !== 'lint' && command !== 'verify')
    (await import('./add-server-commands.js')).addServerCommands(countersign);
  addLintCommand(countersign);
  addVerifyCommand(countersign);
  return countersign;
}
