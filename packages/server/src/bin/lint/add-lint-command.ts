import { InvalidArgumentError, type Command } from 'commander';
import { addSubcommand } from '../add-subcommand.js';
import type { LintOptions } from './lint-command.js';

/** Declares `countersign lint`; its code is loaded when the command runs. */
export function addLintCommand(countersign: Command): void {
  addSubcommand(countersign, 'lint', 'check BPMN and DMN models (.bpmn, .dmn) without a server')
    .argument('<model...>', 'model files; processes that call each other are checked together')
    .option('--json', 'print the findings as JSON')
    .option('--max-warnings <number>', 'exit with code 1 if there are more warnings', toCount)
    .action(async (files: string[], options: LintOptions) => (await import('./lint-command.js')).lint(files, options));
}

function toCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
