import { CliError } from '../cli-error.js';
import { connect } from '../connect.js';
import type { ConnectionOptions } from '../connection-options.js';
import { describeMove, type Move } from './describe-moves.js';
import { listWorkflowIds } from './list-workflow-ids.js';

export interface MoveOptions extends ConnectionOptions {
  readonly workflow: readonly string[];
  readonly all?: boolean;
  readonly to: string;
  readonly dryRun?: boolean;
}

/** Value of `--to` that undoes moves. */
const DEFAULT_ENGINE = 'default';

/**
 * Moves workflows to an engine, and prints each move when it is made. All moves are planned first, so usually nothing is
 * changed if one of them would be refused. A repeated command continues where a failed one ended.
 */
export async function moveWorkflows(options: MoveOptions): Promise<void> {
  if (options.workflow.length > 0 === (options.all === true))
    throw new CliError(
      'invalid_arguments',
      'The workflows to move are missing or ambiguous.',
      'Specify either --workflow, which may be repeated, or --all.',
      { exitCode: 2 },
    );
  const client = await connect(options, 'admin');
  const engine = options.to === DEFAULT_ENGINE ? null : options.to;
  const workflowIds = options.all === true ? await listWorkflowIds(client) : [...new Set(options.workflow)];
  const isPlan = options.dryRun === true;
  const moves: Move[] = [];
  for (const workflowId of workflowIds)
    moves.push(await client.moveWorkflow({ workflowId, dryRun: true, body: { engine } }));
  for (const move of moves) {
    if (!isPlan) await client.moveWorkflow({ workflowId: move.workflowId, body: { engine } });
    process.stdout.write(`${describeMove(move, isPlan)}\n`);
  }
  if (moves.length === 0) process.stdout.write('No workflow is deployed.\n');
}
