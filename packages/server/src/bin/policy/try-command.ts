import type { PolicyTrial, TryPolicyBody } from '@countersign/contract';
import { readPolicyFiles } from '@countersign/policy-cedar';
import { CliError } from '../cli-error.js';
import { connect } from '../connect.js';
import type { ConnectionOptions } from '../connection-options.js';

export interface TryOptions extends ConnectionOptions {
  readonly policies: string;
  readonly runs: string;
  readonly limit: number;
  readonly json?: boolean;
}

const WEAKER_EXIT_CODE = 1;

/**
 * Prints which policy decisions a draft would change, according to the server. Exit code: 0, or 1 if a decision becomes
 * weaker or cannot be evaluated.
 */
export async function tryPolicies(options: TryOptions): Promise<void> {
  const { files } = await readPolicyFiles(options.policies);
  const body: TryPolicyBody = { policies: { ...files }, runs: parseRunsQuery(options.runs), limit: options.limit };
  const client = await connect(options, 'admin');
  const trial = await client.tryPolicy({ body });
  process.stdout.write(options.json === true ? `${JSON.stringify(trial, null, 2)}\n` : describeTrial(trial));
  if (trial.problems.length > 0 || trial.changed.some(({ weaker }) => weaker)) process.exitCode = WEAKER_EXIT_CODE;
}

/** Formats a trial for the terminal: one line per changed decision, the weaker ones first. */
export function describeTrial({ digest, runs, decided, changed, problems, truncated }: PolicyTrial): string {
  const sortedChanges = [...changed.filter(({ weaker }) => weaker), ...changed.filter(({ weaker }) => !weaker)];
  const lines = [
    ...sortedChanges.map(({ weaker, runId, elementId, tool, before, after }) => {
      const target = tool === null ? elementId : `${elementId} ${tool}`;
      return `${weaker ? 'weaker ' : 'changed'}  ${runId}  ${target}: ${describeDecision(before)} -> ${describeDecision(after)}: ${after.rationale}`;
    }),
    ...problems.map(({ runId, elementId, problem }) => `unknown  ${runId}  ${elementId}: ${problem}`),
    `${decided} policy decisions in ${runs} runs under ${digest}: ${changed.length} would change, ${changed.filter(({ weaker }) => weaker).length} of them to a weaker one; ${problems.length} could not be evaluated.`,
    ...(truncated ? ['The list is incomplete. Select fewer runs with --runs.'] : []),
  ];
  // Data of runs must not control the terminal.
  return `${lines.map((line) => line.replace(/\p{Cc}/gu, ' ')).join('\n')}\n`;
}

type ComparedDecision = PolicyTrial['changed'][number]['before'];

function describeDecision({ decision, riskLevel, approval, acceptsTaint }: ComparedDecision): string {
  const approvers =
    approval === undefined
      ? ''
      : ` by ${approval.quorum} of ${[...approval.candidateGroups, ...approval.candidateUsers].join(', ') || 'all'}`;
  return `${decision}${approvers}${acceptsTaint === true ? ' despite taint' : ''} (${riskLevel})`;
}

/** Parses filters of `GET /api/runs`; the server validates them. */
function parseRunsQuery(text: string): NonNullable<TryPolicyBody['runs']> {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, name))
      throw new CliError(
        'invalid_query',
        `--runs contains the filter ${name} twice.`,
        'Write each filter once: --runs "workflowId=release&status=completed".',
        { exitCode: 2 },
      );
    query[name] = value;
  }
  return query as NonNullable<TryPolicyBody['runs']>;
}
