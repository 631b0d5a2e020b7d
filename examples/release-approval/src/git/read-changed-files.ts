import { isTerminalFailure, RetryableFailure, TerminalFailure } from '@countersign/core/plugin';
import type { Repository } from './repository.js';
import type { CommitRange } from './resolve-range.js';

export interface ChangedFile {
  readonly path: string;
  /** Path before the file was moved or copied; `null` if it was neither. */
  readonly previousPath: string | null;
  readonly status: 'added' | 'deleted' | 'modified' | 'moved';
  /** Number of added lines; `null` if git cannot compare the file by lines (binary files). */
  readonly added: number | null;
  readonly removed: number | null;
  /** Octal file mode as printed by git; `000000` if the file did not exist before. */
  readonly previousMode: string;
  readonly mode: string;
}

/** Options that make the diff complete and independent of the configuration of the repository. */
const DIFF_OPTIONS = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=none',
  '--submodule=short',
  '--find-renames=50%',
  '-l1000',
  '--diff-algorithm=myers',
  '--indent-heuristic',
];

const rangeArguments = ({ from, to }: CommitRange): string[] => ['--end-of-options', from, to, '--'];

/** Returns the diff as a patch, in the unmodified bytes of git's output. */
export async function readPatch(repository: Repository, commits: CommitRange, maxBytes: number): Promise<Buffer> {
  const formatOptions = [
    '--patch',
    '--unified=3',
    '--inter-hunk-context=0',
    '--full-index',
    '--src-prefix=a/',
    '--dst-prefix=b/',
  ];
  try {
    return await repository.git([...DIFF_OPTIONS, ...formatOptions, ...rangeArguments(commits)], maxBytes);
  } catch (error) {
    if (!isTerminalFailure(error) || error.code !== 'git_output_too_large') throw error;
    const message = `The diff is larger than ${maxBytes} bytes (Examples:ReleaseApproval:MaxDiffBytes). Choose a smaller range.`;
    throw new TerminalFailure('diff_too_large', message, { cause: error });
  }
}

/** Returns the changed files in git's order. */
export async function readChangedFiles(repository: Repository, commits: CommitRange): Promise<ChangedFile[]> {
  const output = await repository.git([
    ...DIFF_OPTIONS,
    '--raw',
    '--numstat',
    '--no-abbrev',
    '-z',
    ...rangeArguments(commits),
  ]);
  return parseChanges(output.toString('utf8'));
}

const STATUS_BY_LETTER: ReadonlyMap<string, ChangedFile['status']> = new Map([
  ['A', 'added'],
  ['C', 'added'],
  ['D', 'deleted'],
  ['R', 'moved'],
]);

/**
 * Parses the output of `git diff --raw --numstat -z`: the `--raw` entries, each followed by one or two paths, and after
 * them the `--numstat` entries in the same order (see "-z" in git-diff(1)).
 */
export function parseChanges(output: string): ChangedFile[] {
  const tokens = output.split('\0');
  tokens.pop();
  let position = 0;
  const nextToken = (): string => {
    const token = tokens[position];
    if (token === undefined) throw createParseError();
    position += 1;
    return token;
  };
  const entries: Omit<ChangedFile, 'added' | 'removed'>[] = [];
  while (tokens[position]?.startsWith(':') === true) {
    const [previousMode = '', mode = '', , , status = ''] = nextToken().slice(1).split(' ');
    const firstPath = nextToken();
    const hasTwoPaths = status.startsWith('R') || status.startsWith('C');
    entries.push({
      path: hasTwoPaths ? nextToken() : firstPath,
      previousPath: hasTwoPaths ? firstPath : null,
      status: STATUS_BY_LETTER.get(status.charAt(0)) ?? 'modified',
      previousMode,
      mode,
    });
  }
  const files = entries.map((entry): ChangedFile => {
    const [added = '', removed = '', path = ''] = splitNumstat(nextToken());
    // For a moved file, both paths follow.
    const currentPath = path === '' ? [nextToken(), nextToken()][1] : path;
    if (currentPath !== entry.path) throw createParseError();
    return { ...entry, added: toCount(added), removed: toCount(removed) };
  });
  if (position !== tokens.length) throw createParseError();
  return files;
}

/** Splits a `--numstat` entry. The path starts after the second tab and may itself contain tabs. */
function splitNumstat(token: string): string[] {
  const firstTab = token.indexOf('\t');
  const secondTab = token.indexOf('\t', firstTab + 1);
  return [token.slice(0, firstTab), token.slice(firstTab + 1, secondTab), token.slice(secondTab + 1)];
}

function toCount(lineCount: string): number | null {
  return lineCount === '-' ? null : Number(lineCount);
}

function createParseError(): RetryableFailure {
  return new RetryableFailure('git_failed', 'The list of changed files from git could not be parsed.');
}
