import type { Command } from 'commander';

/** Adds a subcommand with the options that all commands share, and returns it. */
export function addSubcommand(parent: Command, name: string, description: string): Command {
  const path = parent.parent === null ? name : `${parent.name()} ${name}`;
  return parent
    .command(name)
    .description(description)
    .option('--verbose', 'print the details and the stack trace of an error')
    .exitOverride()
    .showHelpAfterError(`Run countersign ${path} --help for all options.`);
}
